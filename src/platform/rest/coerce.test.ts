import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { NonBlankText, Text } from '../http/schemas.ts';
import { coerce } from './coerce.ts';

const words = Type.Array(Type.String());

const READ: [string, TSchema, unknown, unknown][] = [
  ['an integer as text', Type.Integer(), '5', 5],
  ['an integer with zeros before it', Type.Integer(), '05', 5],
  ['an integer with blanks', Type.Integer(), ' 5', 5],
  ['an integer with a decimal point', Type.Integer(), '5.0', 5],
  ['an integer in scientific notation', Type.Integer(), '1e2', 100],
  ['a whole float', Type.Integer(), 7.0, 7],
  ['a negative integer', Type.Integer(), -3, -3],
  ['true as text in any case', Type.Boolean(), 'TRUE', true],
  ['false as text', Type.Boolean(), 'false', false],
  ['1 as true', Type.Boolean(), 1, true],
  ['"0" as false', Type.Boolean(), '0', false],
  ['a list of one as text', words, 'x', ['x']],
  ['a list with commas', words, 'x,y', ['x', 'y']],
  ['a list with commas and blanks', words, 'x, y z', ['x', 'y', 'z']],
  ['an empty text as an empty list', words, '', []],
  ['a list of integers as text', Type.Array(Type.Integer()), '1,2', [1, 2]],
  ['an empty text', Type.String(), '', ''],
  ['null where it is allowed', Type.Union([Type.String(), Type.Null()]), null, null],
  ['an enumerated integer as text', Type.Unsafe({ type: 'integer', enum: [0, 1] }), '1', 1],
  ['lines that end as those of forms do', Text(20), 'a\r\nb', 'a\nb'],
  ['a leap day', Type.String({ format: 'date' }), '2028-02-29', '2028-02-29'],
];

const REFUSED: [string, TSchema, unknown, string, string][] = [
  [
    'an empty text as integer',
    Type.Integer(),
    '',
    'rest_invalid_type',
    'x is not of type integer.',
  ],
  [
    'a number that is none of those allowed beside a boolean',
    Type.Union([Type.Unsafe({ type: 'integer', enum: [0, 1] }), Type.Boolean()]),
    2,
    'rest_not_in_enum',
    'x is not one of 0 and 1.',
  ],
  ['letters as integer', Type.Integer(), 'abc', 'rest_invalid_type', 'x is not of type integer.'],
  ['a fraction as integer', Type.Integer(), 5.5, 'rest_invalid_type', 'x is not of type integer.'],
  ['true as integer', Type.Integer(), true, 'rest_invalid_type', 'x is not of type integer.'],
  ['null as integer', Type.Integer(), null, 'rest_invalid_type', 'x is not of type integer.'],
  ['1e400 as integer', Type.Integer(), '1e400', 'rest_invalid_type', 'x is not of type integer.'],
  [
    'an empty text as boolean',
    Type.Boolean(),
    '',
    'rest_invalid_type',
    'x is not of type boolean.',
  ],
  ['yes as boolean', Type.Boolean(), 'yes', 'rest_invalid_type', 'x is not of type boolean.'],
  ['2 as boolean', Type.Boolean(), 2, 'rest_invalid_type', 'x is not of type boolean.'],
  ['an object as list', words, { k: 'v' }, 'rest_invalid_type', 'x is not of type array.'],
  [
    'a number in a list of texts',
    words,
    ['a', 1],
    'rest_invalid_type',
    'x[1] is not of type string.',
  ],
  ['a number as text', Type.String(), 5, 'rest_invalid_type', 'x is not of type string.'],
  [
    'a third of two',
    Type.Unsafe({ type: 'string', enum: ['a', 'b'] }),
    'c',
    'rest_not_in_enum',
    'x is not one of a and b.',
  ],
  [
    'a fourth of three',
    Type.Unsafe({ type: 'string', enum: ['a', 'b', 'c'] }),
    'd',
    'rest_not_in_enum',
    'x is not one of a, b, and c.',
  ],
  [
    'below a range',
    Type.Integer({ minimum: 1, maximum: 10 }),
    0,
    'rest_out_of_bounds',
    'x must be between 1 (inclusive) and 10 (inclusive)',
  ],
  [
    'below a minimum',
    Type.Integer({ minimum: 2 }),
    1,
    'rest_out_of_bounds',
    'x must be greater than or equal to 2',
  ],
  [
    'above a maximum',
    Type.Integer({ maximum: 10 }),
    11,
    'rest_out_of_bounds',
    'x must be less than or equal to 10',
  ],
  [
    'a text that is too short',
    Type.String({ minLength: 2 }),
    'a',
    'rest_too_short',
    'x must be at least 2 characters long.',
  ],
  [
    'a text that is too long',
    Type.String({ maxLength: 1 }),
    'ab',
    'rest_too_long',
    'x must be at most 1 character long.',
  ],
  [
    'a list that is too short',
    Type.Array(Type.String(), { minItems: 2 }),
    ['a'],
    'rest_too_few_items',
    'x must contain at least 2 items.',
  ],
  [
    'an item that is there twice',
    Type.Array(Type.String(), { uniqueItems: true }),
    ['a', 'b', 'a'],
    'rest_duplicate_items',
    'x has duplicate items.',
  ],
  [
    'a control character in a text',
    Text(20),
    'a\u0000b',
    'rest_invalid_pattern',
    'x contains control characters: send it without them.',
  ],
  [
    'a text of white space only',
    NonBlankText(20),
    ' \n\u00a0',
    'rest_invalid_pattern',
    'x must not be blank or contain control characters.',
  ],
  [
    '30 February',
    Type.String({ format: 'date' }),
    '2028-02-30',
    'rest_invalid_date',
    'Invalid date.',
  ],
  [
    'another scheme',
    Type.String({ format: 'uri' }),
    'javascript:alert(1)',
    'rest_invalid_url',
    'x must be an http or https URL.',
  ],
];

describe('A parameter', () => {
  it.each(READ)('may be %s', (_name, schema, value, read) => {
    expect(coerce('x', value, schema)).toEqual({ value: read });
  });

  it.each(REFUSED)('may not be %s', (_name, schema, value, code, message) => {
    expect(coerce('x', value, schema)).toEqual({
      error: expect.objectContaining({ code, message }),
    });
  });
});
