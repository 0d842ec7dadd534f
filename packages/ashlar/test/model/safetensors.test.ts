import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { readSafetensors } from '../../src/model/safetensors.ts'
import { safetensorsFile, tensor, withHeader } from './safetensors-file.ts'

const one = tensor('F32', [2, 2], [1, 2, 3, 4])

function code(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isAshlarError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

describe('a safetensors file', () => {
  test('gives its tensors as views into it, and leaves out types it does not know', () => {
    const other = { type: 'BF16', shape: [3], bytes: new Uint8Array(6) }
    const file = safetensorsFile({ one, other, two: tensor('I8', [3], [1, -2, 3]) }, 5)
    const tensors = readSafetensors(file)
    expect([...tensors.keys()]).toEqual(['one', 'two'])
    expect(tensors.get('one')).toMatchObject({ type: 'F32', shape: [2, 2] })
    expect(tensors.get('one')?.bytes.buffer).toBe(file.buffer)
    expect([...new Int8Array(tensors.get('two')!.bytes)]).toEqual([1, -2, 3])
  })

  test('that is cut short anywhere is refused', () => {
    const file = safetensorsFile({ one })
    for (let length = 0; length < file.length; length++)
      expect(
        code(() => readSafetensors(file.subarray(0, length))),
        String(length),
      ).toBe('INVALID_MODEL')
  })

  test.each([
    ['{', 'no JSON'],
    ['[]', 'no object'],
    ['null', 'nothing'],
    ['{"a":null}', 'no description'],
    ['{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,8]}}', 'fewer bytes than numbers'],
    ['{"a":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}}', 'a negative size'],
    ['{"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}}', 'an end before the start'],
    ['{"a":{"dtype":"F32","shape":[4],"data_offsets":[8,24]}}', 'bytes beyond the file'],
    ['{"a":{"dtype":"F32","shape":[1e300,1e300],"data_offsets":[0,16]}}', 'a size beyond numbers'],
    ['{"a":{"dtype":4,"shape":[4],"data_offsets":[0,16]}}', 'a type that is no name'],
    ['{"a":{"dtype":"F32","shape":4,"data_offsets":[0,16]}}', 'a shape that is no list'],
  ])('with the header %s is refused: %s', (header) => {
    expect(code(() => readSafetensors(withHeader(header, [one])))).toBe('INVALID_MODEL')
  })

  test('with any bytes changed is read or refused, nothing else', () => {
    const file = safetensorsFile({ one })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 4 }), (changes) => {
        const changed = file.slice()
        for (const [at, byte] of changes) changed[at] = byte
        expect(['INVALID_MODEL', 'nothing thrown']).toContain(code(() => readSafetensors(changed)))
      }),
    )
  })
})
