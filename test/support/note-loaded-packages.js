'use strict';

/** Preloaded with `node --require`: writes the packages that a process has loaded, as JSON, when it ends. */
const { writeFileSync } = require('node:fs');

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/;

process.on('exit', () => {
  const names = new Set(Object.keys(require.cache).flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  writeFileSync(process.env.LOADED_PACKAGES, JSON.stringify([...names].sort()));
});
