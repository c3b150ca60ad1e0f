#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const entry = join(__dirname, '../dist/src/cli/main.js');
if (!existsSync(entry)) {
  process.stderr.write('stallscope: not built yet; run "npm run build" first.\n');
  process.exit(2);
}
require(entry);
