import pc from 'picocolors';
import type { Accounts } from '../../../accounts';
import { readConfig, type Config } from '../../../platform/config';
import { createFileStore } from '../../../platform/file-store';
import { TemporalUnreachableError } from '../../../temporal/client-connection';
import { encryptionFileOf } from '../../../temporal/encryption/data-converter';
import { EncryptionFileError } from '../../../temporal/encryption/encryption-file';
import { TemporalSettingsError } from '../../../temporal/existing-cluster';
import { checkOnline } from '../check-online';
import type { CliContext } from '../context';
import * as doctor from '../doctor';
import { ExitCode } from '../../../platform/exit-code';

export interface DoctorOptions {
  readonly json?: boolean;
  readonly online?: boolean;
  readonly webhooks?: string;
}

/** `consign doctor`. */
export async function diagnose(context: CliContext, options: DoctorOptions): Promise<void> {
  const findings = await examine(context, options);
  context.print(options.json === true ? JSON.stringify(findings, null, 2) : renderFindings(findings));
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = ExitCode.Invalid;
}

async function examine(context: CliContext, options: DoctorOptions): Promise<readonly doctor.Finding[]> {
  const { config, found } = doctor.checkConfig(() => readConfig());
  if (config === null) return [found];
  const { accounts, found: ofAccounts } = await doctor.checkAccountsFile(() => context.accounts());
  const isEncrypting = encryptionFileOf(process.env) !== null;
  return [
    found,
    ...ofAccounts,
    doctor.checkEncryption(isEncrypting, accounts),
    ...(await examineTemporal(context, accounts, { isEncrypting, online: options.online === true })),
    ...(await examineReceiver(config, accounts, options.webhooks)),
    await doctor.checkFiles(createFileStore(config.files)),
  ];
}

async function examineTemporal(
  context: CliContext,
  accounts: Accounts | null,
  { isEncrypting, online }: { readonly isEncrypting: boolean; readonly online: boolean },
): Promise<readonly doctor.Finding[]> {
  const names = accounts?.names() ?? [];
  const notified = names.filter((name) => accounts?.endpointsOf(name) != null);
  try {
    return await context.withShipments(async (_, client) => {
      const { namespace } = client.options;
      const findings = [
        ...(await doctor.checkNamespace(client, namespace)),
        ...(await doctor.checkWorkers(client, names, notified)),
        ...(isEncrypting ? await doctor.checkNewestShipment(client) : []),
      ];
      if (!online || accounts === null) return findings;
      const checks = await checkOnline(client, await accounts.report());
      const answers = checks.map(({ account, isTaken, text }) =>
        isTaken === true
          ? doctor.good('marketplace', `${account}: ${text}`)
          : doctor.bad(
              'marketplace',
              `${account}: ${text}`,
              "correct the account's key, or ask the marketplace's support",
            ),
      );
      return [...findings, ...answers];
    });
  } catch (error) {
    if (error instanceof EncryptionFileError)
      return [doctor.bad('encryption', error.message, 'correct the file, see docs/encryption.md')];
    if (!(error instanceof TemporalUnreachableError || error instanceof TemporalSettingsError)) throw error;
    const remedy = error.hint ?? 'correct the TEMPORAL_* variables, or start the server';
    return [doctor.bad('Temporal', error.message, remedy)];
  }
}

async function examineReceiver(
  { webhookHost, webhookPort }: Config,
  accounts: Accounts | null,
  named: string | undefined,
): Promise<readonly doctor.Finding[]> {
  // Without integrations no webhook arrives, and no receiver has to listen.
  if (named === undefined && (accounts?.integrations.length ?? 0) === 0) return [];
  const host = webhookHost === '0.0.0.0' || webhookHost === '::' ? '127.0.0.1' : webhookHost;
  return [await doctor.checkReceiver(named ?? `http://${host}:${webhookPort}`, named !== undefined)];
}

const MARKS = { good: pc.green('✓'), warn: pc.yellow('!'), bad: pc.red('✗') } as const;

export function renderFindings(findings: readonly doctor.Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, text, remedy }) => [
    `${MARKS[state]} ${check.padEnd(width)}  ${text}`,
    ...(remedy === null ? [] : [`  ${' '.repeat(width)}  ${pc.dim('→')} ${remedy}`]),
  ]);
  return [...lines, '', verdictOf(findings)].join('\n');
}

function verdictOf(findings: readonly doctor.Finding[]): string {
  const count = (wanted: doctor.Finding['state']): number =>
    findings.filter(({ state }) => state === wanted).length;
  const bad = count('bad');
  const warnings = count('warn');
  const warned = warnings === 0 ? '' : ` ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  if (bad > 0) return pc.red(`${bad} of ${findings.length} checks failed.${warned}`);
  return warnings === 0 ? pc.green('All checks passed.') : pc.yellow(`No check failed.${warned}`);
}
