'use strict';

/** `npm run bench:flood [-- COUNT]`: compiles on the way, because the program in dist holds no test support. */
require('../test/support/run-typescript.js');
require('./flood.ts');
