/** Opens a file and brings it to a version that this library does not have: `node sqlite-migrating-process.ts <path> <next step>`. */
import { openWriter } from '../../src/store/sqlite/open-database.ts'
import { migrations } from '../../src/store/sqlite/schema.ts'

const [path = '', step = ''] = process.argv.slice(2)
process.stdout.write('begins\n')
const connection = await openWriter({ path, synchronous: 'NORMAL', timeout: 30_000, migrations: [...migrations, step] })
connection.close()
process.stdout.write('done\n')
