#!/usr/bin/env node
'use strict';

const path = require('node:path');
const fs = require('node:fs');

const cli = path.join(__dirname, '..', 'dist', 'src', 'starter', 'cli', 'cli.js');
if (!fs.existsSync(cli)) {
  console.error('consign is not built yet. Run `npm run build` in the project folder first.');
  process.exit(2);
}
// A reader that has enough, such as `consign list | head`, is no trouble.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
void require(cli).main();
