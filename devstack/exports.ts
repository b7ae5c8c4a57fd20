import path from 'node:path';
import { shellWord } from '../src/domain/command-lines';

/** The command line's defaults. */
const USUAL: Readonly<Record<string, string>> = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  TEMPORAL_NAMESPACE: 'default',
  SANDBOX_URL: 'http://127.0.0.1:4010',
  WEBHOOK_PORT: '4020',
};

/** The variables by which the command line finds the parts. None is a secret. */
const NAMES = [
  ...['CONSIGN_ACCOUNTS', 'CONSIGN_FILES', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'],
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'SANDBOX_URL', 'WEBHOOK_HOST', 'WEBHOOK_PORT'],
];
/** Needed behind a proxy, because it cannot reach this machine. grpc-js reads only the lower-case one. */
const BEHIND_PROXY = ['NO_PROXY', 'no_proxy'];
const PROXY = /^(?:https?|grpc)_proxy$/i;

/** The exports for another terminal in the project's folder: with them the command line finds these parts. */
export function exportsFor(env: NodeJS.ProcessEnv, root: string): string[] {
  const isBehindProxy = Object.keys(env).some((name) => PROXY.test(name) && env[name] !== '');
  return [...NAMES, ...(isBehindProxy ? BEHIND_PROXY : [])].flatMap((name) => {
    const value = env[name] ?? '';
    if (value === '' || value === USUAL[name]) return [];
    return [`export ${name}=${shellWord(name === 'CONSIGN_FILES' ? shortest(value, root) : value)}`];
  });
}

function shortest(folder: string, root: string): string {
  const relative = path.relative(root, folder);
  return relative.startsWith('..') ? folder : relative;
}
