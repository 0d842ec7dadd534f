import { AshlarError } from '../error/ashlar-error.ts'
import { checkWorkspace } from './check-id.ts'
import type { FieldType, FieldTypes } from './filter.ts'
import type { StoreScope } from './store.ts'

const fieldTypes: readonly FieldType[] = ['string', 'number', 'boolean', 'strings']
const mostFields = 100
const mostWorkspaces = 100
const longestField = 128

/**
 * A scope with its defaults, checked and copied. Who opens an engine checks first.
 *
 * @throws AshlarError `INVALID_WORKSPACE` or `INVALID_OPTION`.
 */
export function checkScope({ workspace, alsoRead = [], fields = {} }: StoreScope): Readonly<Required<StoreScope>> {
  if (!Array.isArray(alsoRead) || alsoRead.length > mostWorkspaces) {
    throw new AshlarError('INVALID_OPTION', `alsoRead is a list of at most ${mostWorkspaces} workspaces.`)
  }
  const own = checkWorkspace(workspace)
  const others = alsoRead.map((name) => checkWorkspace(name)).filter((name) => name !== own)
  return { workspace: own, alsoRead: [...new Set(others)], fields: checkFields(fields) }
}

function checkFields(fields: FieldTypes): FieldTypes {
  const names = Object.keys(fields)
  if (names.length > mostFields) throw new AshlarError('INVALID_OPTION', `At most ${mostFields} fields can be declared.`)
  const checked: Record<string, FieldType> = {}
  for (const name of names) {
    checkFieldName(name)
    const type = fields[name] as FieldType
    if (!fieldTypes.includes(type)) {
      throw new AshlarError(
        'INVALID_OPTION',
        `The field ${name} is declared as ${String(type)}; there are ${fieldTypes.join(', ')}.`,
        {
          details: { field: name },
        },
      )
    }
    checked[name] = type
  }
  return checked
}

function checkFieldName(name: string): void {
  if (isFieldName(name)) return
  throw new AshlarError(
    'INVALID_OPTION',
    `A field's name is made of at most ${longestField} letters, digits, spaces and _ - . : / and begins with a letter or digit; got ${JSON.stringify(name.slice(0, 60)).toWellFormed()}.`,
  )
}

/** Whether a name can be one of a metadata field: plain enough for every engine, and nothing that objects are born with. */
export function isFieldName(name: string): boolean {
  return name.length <= longestField && /^[\p{L}\p{N}][\p{L}\p{N}\p{M} _.:/-]*$/u.test(name) && !(name in Object.prototype)
}
