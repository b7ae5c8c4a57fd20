'use strict';

/** `npm run scale`: compiles on the way, like `npm run bench`. */
require('../../test/support/run-typescript.js');
require('./main.ts');
