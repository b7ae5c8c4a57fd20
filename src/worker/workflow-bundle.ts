import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode } from '@temporalio/worker';
import { PACKAGE_ROOT } from '../platform/package-root';
import { FAILURE_CONVERTER } from '../temporal/encryption/data-converter';

/** Where the build writes the bundle, beside the compiled sources. */
export const WORKFLOW_BUNDLE = path.join(PACKAGE_ROOT, 'dist', 'workflow-bundle.generated.js');

/** The same workflows, whose failures are encrypted: how a failure is written is part of the bundle. */
const ENCRYPTED_WORKFLOW_BUNDLE = path.join(PACKAGE_ROOT, 'dist', 'workflow-bundle-encrypted.generated.js');

/** The bundle that writes failures as the data converter does. */
export const workflowBundleFor = ({ failureConverterPath }: DataConverter): string =>
  failureConverterPath === undefined ? WORKFLOW_BUNDLE : ENCRYPTED_WORKFLOW_BUNDLE;

/** What keeps the workflows replayable. */
export const INTERCEPTORS = require.resolve('../workflows/interceptors');

/** The name of a file in the source map: relative to the root of the package. */
const nameInMap = ({ absoluteResourcePath: file }: { readonly absoluteResourcePath: string }): string =>
  file.replaceAll(`${PACKAGE_ROOT}${path.sep}`, '');

/** Bundles the workflows and their dependencies into the one script that workers run. */
export async function bundleWorkflows({ failureConverterPath }: DataConverter = {}): Promise<string> {
  const workflowsPath = require.resolve('../workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    workflowInterceptorModules: [INTERCEPTORS],
    // Loaded once and shared by all shipments of a worker, because it is two thirds of the memory of each. No module may
    // keep state, which a test checks.
    preloadModules: [INTERCEPTORS, workflowsPath],
    // The SDK requires a source map in the bundle. It keeps files and lines, which stack traces need, but not the sources:
    // they are twice as large as the code, and each worker would parse them at its start.
    webpackConfigHook: (config) => ({
      ...config,
      devtool: 'inline-nosources-source-map',
      // A package runs on other machines than the one that built it, and must not name that machine's folder.
      output: { ...config.output, devtoolModuleFilenameTemplate: nameInMap },
    }),
    logger: { ...console, trace() {}, debug() {}, info() {}, log() {} },
  });
  return code;
}

/** Those of `patches` that the code never uses, such as a misspelled one. */
export function unknownPatches(code: string, patches: readonly string[]): readonly string[] {
  return patches.filter((patch) => !new RegExp(`\\bpatched\\)?\\(\\s*["']${patch}["']`).test(code));
}

/** Runs once, at build time: workers then start fast and all run the same code. */
async function main(): Promise<void> {
  await mkdir(path.dirname(WORKFLOW_BUNDLE), { recursive: true });
  await writeFile(WORKFLOW_BUNDLE, await bundleWorkflows());
  const encrypted = await bundleWorkflows({ failureConverterPath: FAILURE_CONVERTER });
  await writeFile(ENCRYPTED_WORKFLOW_BUNDLE, encrypted);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
