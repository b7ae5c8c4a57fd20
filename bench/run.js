'use strict';

/** `npm run bench`: compiles on the way, because the program in dist holds no benchmark. */
require('../test/support/run-typescript.js');
require('./main.ts');
