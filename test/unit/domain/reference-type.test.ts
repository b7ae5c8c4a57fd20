import { expect, test } from '@jest/globals';
import { REFERENCE_TYPES } from '../../../src/domain/reference-type';
import * as codes from '../../../src/orders/codes';

test('the types of references that orders may name are those that answers are held against', () => {
  expect(REFERENCE_TYPES).toEqual(codes.REFERENCE_TYPES);
});
