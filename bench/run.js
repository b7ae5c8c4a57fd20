'use strict';

/** `npm run bench`: compiles on the way, because the program in dist holds no benchmark. */
require('../test/unit/processes/run-typescript.js');
require('./main.ts');
