import { sql } from 'kysely';
import type {
  BackgroundResponse,
  BackgroundResponseRepository,
  ResponseEvents,
  ResponseKey,
} from '../entities/background-response.ts';
import { defineMapping, flag, integer, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';
import {
  createStoredResponseRepository,
  responseContext,
  writeItems,
} from './stored-response-repository.ts';

const mapping = defineMapping<'background_responses', BackgroundResponse>({
  userId: integer('user_id'),
  responseId: text('response_id'),
  owner: text('owner'),
  status: text('status'),
  streamed: flag('streamed'),
  lastNumber: integer('last_number'),
  leaseUntil: integer('lease_until'),
});

/** Encryption context of a piece of events. */
export const eventsContext = (userId: number, responseId: string, firstNumber: number): string =>
  `response_events:${userId}:${responseId}:${firstNumber}`;

const isRow = ({ userId, responseId }: ResponseKey) => ({
  user_id: userId,
  response_id: responseId,
});

export function createBackgroundResponseRepository(access: Access): BackgroundResponseRepository {
  const { read, write, vault, atomically } = access;
  const insertEvents = async (database: Access['write'], piece: ResponseEvents): Promise<void> => {
    const { userId, responseId, firstNumber, lastNumber, events } = piece;
    await database
      .insertInto('response_events')
      .values({
        ...isRow(piece),
        first_number: firstNumber,
        last_number: lastNumber,
        events: vault.seal(events, eventsContext(userId, responseId, firstNumber)),
      })
      .execute();
  };
  const counted = ({ lastNumber, events }: ResponseEvents) => ({
    last_number: lastNumber,
    events_size: sql<number>`events_size + ${events.length}`,
  });
  return {
    begin: (response, { owner, streamed, leaseUntil }, { most, now }) =>
      atomically(async (database) => {
        const underWay = await database
          .selectFrom('background_responses')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', response.userId)
          .where('lease_until', '>=', now)
          .executeTakeFirst();
        if (Number(underWay?.count ?? 0) >= most) return false;
        await createStoredResponseRepository({
          ...access,
          atomically: (work) => work(database),
        }).insertMany([response]);
        await database
          .insertInto('background_responses')
          .values({
            ...isRow(response),
            owner,
            status: response.status,
            streamed: streamed ? 1 : 0,
            last_number: -1,
            lease_until: leaseUntil,
          })
          .execute();
        return true;
      }),
    async find(key) {
      const row = await read
        .selectFrom('background_responses')
        .selectAll()
        .where((one) => one.and(isRow(key)))
        .executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async start(key) {
      await write
        .updateTable('background_responses')
        .set({ status: 'in_progress' })
        .where((row) => row.and(isRow(key)))
        .where('lease_until', '>', 0)
        .execute();
    },
    renew: (owner, leaseUntil) =>
      atomically(async (database) => {
        await database
          .updateTable('background_responses')
          .set({ lease_until: leaseUntil })
          .where('lease_until', '>', 0)
          .where('owner', '=', owner)
          .execute();
        const rows = await database
          .selectFrom('background_responses')
          .select(['user_id', 'response_id'])
          .where('lease_until', '>', 0)
          .where('owner', '=', owner)
          .execute();
        return rows.map((row) => ({ userId: row.user_id, responseId: row.response_id }));
      }),
    addEvents: (piece) =>
      atomically(async (database) => {
        const isUnderWay = changed(
          await database
            .updateTable('background_responses')
            .set(counted(piece))
            .where((row) => row.and(isRow(piece)))
            .where('lease_until', '>', 0)
            .executeTakeFirst(),
        );
        if (isUnderWay) await insertEvents(database, piece);
      }),
    async listEvents(key, after, limit) {
      const rows = await read
        .selectFrom('response_events')
        .selectAll()
        .where((row) => row.and(isRow(key)))
        .where('last_number', '>', after)
        .orderBy('first_number')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        ...key,
        firstNumber: row.first_number,
        lastNumber: row.last_number,
        events: vault.open(row.events, eventsContext(key.userId, key.responseId, row.first_number)),
      }));
    },
    end: (response, last) =>
      atomically(async (database) => {
        const { userId, responseId, status } = response;
        const isFirst = changed(
          await database
            .updateTable('background_responses')
            .set({ status, lease_until: 0, ...(last === undefined ? {} : counted(last)) })
            .where((row) => row.and(isRow(response)))
            .where('lease_until', '>', 0)
            .executeTakeFirst(),
        );
        if (!isFirst) return false;
        await database
          .updateTable('stored_responses')
          .set({
            status,
            tokens: response.tokens,
            channel_id: response.channelId,
            health_key: response.healthKey,
            response_size: response.responseSize,
            response: vault.seal(
              response.response,
              responseContext(userId, responseId, 'response'),
            ),
          })
          .where((row) => row.and(isRow(response)))
          .execute();
        await writeItems(database, [response]);
        if (last !== undefined) await insertEvents(database, last);
        return true;
      }),
    async listLost(now, { owner }, limit, passed = 0) {
      const rows = await read
        .selectFrom('background_responses')
        .selectAll()
        .where('lease_until', '>', 0)
        .where((row) =>
          owner === undefined
            ? row('lease_until', '<', now)
            : row.or([row('lease_until', '<', now), row('owner', '!=', owner)]),
        )
        .orderBy('lease_until')
        .orderBy('user_id')
        .orderBy('response_id')
        .limit(limit)
        .offset(passed)
        .execute();
      return rows.map((row) => mapping.read(row));
    },
  };
}
