// Covers src/core/storage/ledger/settlement.ts, src/core/storage/ledger/write-errors.ts.
import { expect, it } from 'vitest';
import {
  batchOfText,
  type JournaledCharge,
  type Settlement,
  textOfBatch,
} from '../../../../src/core/storage/ledger/settlement.ts';
import {
  RefusedItemError,
  UnknownOutcomeError,
} from '../../../../src/core/storage/ledger/write-errors.ts';

const release: Settlement = { kind: 'release', requestId: 'r', userId: 1, tokenId: 5 };
const charge: JournaledCharge = {
  kind: 'journaled',
  sequence: 4,
  userId: 1,
  tokenId: 5,
  amount: 3,
  json: '{"kind":"charge","amount":3}',
};

it('a batch crosses threads as text; what the journal has stays as it is there', () => {
  expect(batchOfText(textOfBatch([release, charge, release]))).toEqual([
    release,
    { kind: 'charge', amount: 3 },
    release,
  ]);
  expect(textOfBatch([])).toBe('[]');
});

it('an item without a JSON is at fault, and no other error is taken for that', () => {
  const odd = { ...release, userId: 1n as unknown as number };
  expect(() => textOfBatch([release, odd])).toThrow(RefusedItemError);
  const broken = {
    ...release,
    toJSON: () => {
      throw new Error('disk full');
    },
  };
  expect(() => textOfBatch([broken])).toThrow(/^disk full$/);
  expect(() => textOfBatch([broken])).not.toThrow(RefusedItemError);
});

it('errors say what was the matter, also in a log that knows no classes', () => {
  const cause = new Error('NOT NULL');
  const refused = { name: 'RefusedItemError', code: 'REFUSED_ITEM', message: 'NOT NULL', cause };
  expect(new RefusedItemError(cause)).toMatchObject(refused);
  const unknown = { name: 'UnknownOutcomeError', message: 'it is unknown', cause };
  expect(new UnknownOutcomeError('it is unknown', cause)).toMatchObject(unknown);
});
