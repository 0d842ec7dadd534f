#!/usr/bin/env node
import { main } from './main.ts'
import { muteSqliteWarning } from './mute-sqlite-warning.ts'
import { processTerminal } from './process-terminal.ts'

muteSqliteWarning()
process.exitCode = await main(process.argv.slice(2), processTerminal())
