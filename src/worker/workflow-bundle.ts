import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { PACKAGE_ROOT } from '../platform/package-root';

/** Where the build leaves the bundle, beside the compiled sources. */
export const WORKFLOW_BUNDLE = path.join(PACKAGE_ROOT, 'dist', 'workflow-bundle.generated.js');

/** What the shipments need beside their code. */
export const NEVER_EMPTY_TASK = require.resolve('../workflows/never-empty-task');

/** The workflows and what they need, as the one script that workers run. */
export async function bundleWorkflows(): Promise<string> {
  const workflowsPath = require.resolve('../workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [NEVER_EMPTY_TASK],
    // Loaded once and shared by all shipments of a worker, instead of once for each: it is two thirds of what each takes in
    // memory. No module may keep a state of its own, which a test holds.
    preloadModules: [NEVER_EMPTY_TASK, workflowsPath],
    // The SDK takes no bundle without a source map in it. Files and lines are in it, which stack traces need; the sources
    // themselves, twice as large as the code, would only be parsed by each worker at its start.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
    logger: { ...console, trace() {}, debug() {}, info() {}, log() {} },
  });
  return code;
}

/** Those of `patches` for which the code never asks, such as one that is spelled wrong. */
export function unknownPatches(code: string, patches: readonly string[]): readonly string[] {
  return patches.filter((patch) => !new RegExp(`\\bpatched\\)?\\(\\s*["']${patch}["']`).test(code));
}

/** Once, at build time, so that workers start at once and all run the same code. */
async function main(): Promise<void> {
  const code = await bundleWorkflows();
  await mkdir(path.dirname(WORKFLOW_BUNDLE), { recursive: true });
  await writeFile(WORKFLOW_BUNDLE, code);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
