import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode } from '@temporalio/worker';
import { PACKAGE_ROOT } from '../platform/package-root';
import { FAILURE_CONVERTER } from '../temporal/encryption/data-converter';

/** Where the build writes the bundle, beside the compiled sources. */
export const WORKFLOW_BUNDLE = path.join(PACKAGE_ROOT, 'dist', 'workflow-bundle.generated.js');

/** How the failure converter in the bundle writes failures. The build writes the second one. */
const [ENCODED, PLAIN] = ['failures as payloads', 'failures as text'];

/** The code of the build's bundle, which writes failures as the data converter does. */
export async function readWorkflowBundle(dataConverter: DataConverter): Promise<string> {
  return withFailuresFor(dataConverter, await readFile(WORKFLOW_BUNDLE, 'utf8'));
}

export function withFailuresFor({ failureConverterPath }: DataConverter, code: string): string {
  return failureConverterPath === undefined ? code : exchange(code, PLAIN, ENCODED);
}

/** @throws TypeError unless the code contains the text once */
function exchange(code: string, from: string, to: string): string {
  const [before = '', after, ...others] = code.split(from);
  if (after === undefined || others.length > 0) throw new TypeError(`the bundle must contain "${from}" once`);
  return `${before}${to}${after}`;
}

/** What keeps the workflows replayable. */
export const INTERCEPTORS = require.resolve('../workflows/interceptors');

/** The name of a file in the source map: relative to the root of the package. */
const nameInMap = ({ absoluteResourcePath: file }: { readonly absoluteResourcePath: string }): string =>
  file.replaceAll(`${PACKAGE_ROOT}${path.sep}`, '');

/** Bundles the workflows and their dependencies into the one script that workers run. */
export async function bundleWorkflows(): Promise<string> {
  const workflowsPath = require.resolve('../workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    failureConverterPath: FAILURE_CONVERTER,
    workflowInterceptorModules: [INTERCEPTORS],
    // Loaded once and shared by all shipments of a worker, because it is two thirds of the memory of each. No module may
    // keep state, which a test checks.
    preloadModules: [INTERCEPTORS, workflowsPath],
    // The SDK requires a source map in the bundle. It keeps files and lines, which stack traces need, but neither columns
    // nor the sources: each worker parses the map at its start.
    webpackConfigHook: (config) => ({
      ...config,
      devtool: 'inline-nosources-cheap-module-source-map',
      // A package runs on other machines than the one that built it, and must not name that machine's folder.
      output: { ...config.output, devtoolModuleFilenameTemplate: nameInMap },
    }),
    logger: { ...console, trace() {}, debug() {}, info() {}, log() {} },
  });
  return exchange(code, ENCODED, PLAIN);
}

/** Those of `patches` that the code never uses, such as a misspelled one. */
export function unknownPatches(code: string, patches: readonly string[]): readonly string[] {
  return patches.filter((patch) => !new RegExp(`\\bpatched\\)?\\(\\s*["']${patch}["']`).test(code));
}

/** Runs once, at build time: workers then start fast and all run the same code. */
async function main(): Promise<void> {
  await mkdir(path.dirname(WORKFLOW_BUNDLE), { recursive: true });
  await writeFile(WORKFLOW_BUNDLE, await bundleWorkflows());
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
