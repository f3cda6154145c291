/** Statements with names, and pools whose connections lose them (docs/rules/ledger.md#prepared). */
import { EventEmitter } from 'node:events';
import { DatabaseError, type Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  followNames,
  isLostStatement,
  prepared,
} from '../../../../src/core/storage/ledger/prepared.ts';

const failure = (code: string) => Object.assign(new DatabaseError('x', 0, 'error'), { code });

function openPool() {
  const pool = new EventEmitter() as unknown as Pool;
  followNames(pool);
  const sent: unknown[][] = [];
  const client = { query: (...given: unknown[]) => sent.push(given) };
  (pool as unknown as EventEmitter).emit('connect', client);
  return { pool, client, sent };
}

it('a statement has one name for each text', () => {
  const first = prepared('hold', 'SELECT 1');
  expect(first).toEqual(prepared('hold', 'SELECT 1'));
  expect(first).toEqual({ name: expect.stringMatching(/^hold_[0-9a-f]{12}$/), text: 'SELECT 1' });
  expect(prepared('hold', 'SELECT 2').name).not.toBe(first.name);
});

describe('the names of a pool', () => {
  const statement = { ...prepared('hold', 'SELECT 1'), values: [1] };

  it.each(['26000', '42P05'])('are left out once a connection lost one (%s)', (code) => {
    const { pool, client, sent } = openPool();
    const other = openPool();
    client.query(statement);
    expect(isLostStatement(pool, failure(code))).toBe(true);
    client.query(statement);
    client.query('COMMIT');
    client.query('SELECT $1', [2]);
    client.query(null);
    const callback = () => {};
    client.query({ text: 'SELECT 2' }, callback);
    expect(sent).toEqual([
      [statement],
      [{ ...statement, name: undefined }],
      ['COMMIT'],
      ['SELECT $1', [2]],
      [null],
      [{ text: 'SELECT 2' }, callback],
    ]);
    other.client.query(statement);
    expect(other.sent).toEqual([[statement]]);
  });

  it.each([
    failure('23505'),
    Object.assign(failure(''), { code: undefined }),
    Object.assign(new Error('x'), { code: '26000' }),
    undefined,
  ])('stay after %o', (error) => {
    const { pool, client, sent } = openPool();
    expect(isLostStatement(pool, error)).toBe(false);
    client.query(statement);
    expect(sent).toEqual([[statement]]);
  });
});
