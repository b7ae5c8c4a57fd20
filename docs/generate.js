'use strict';

/** `npm run docs`: writes what schemas and measurements say into docs/ and schema/. A test compares them. */
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
require('../test/support/run-typescript.js');
const { ASYNC_API, asyncApiText } = require('./asyncapi.ts');
const { ORDER_SCHEMA, orderSchemaText, PAGES, withTables } = require('./tables.ts');

const at = (file) => path.join(__dirname, '..', file);
for (const page of PAGES) writeFileSync(at(page), withTables(readFileSync(at(page), 'utf8')));
writeFileSync(at(ORDER_SCHEMA), orderSchemaText());
writeFileSync(at(ASYNC_API), asyncApiText());
