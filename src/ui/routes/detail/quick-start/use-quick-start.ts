/**
 * From a pasted key to a channel that answers: the upstream's models, the channel, its test, a token
 * (docs/rules/console.md#quick-start).
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PricingRow } from '../../../../core/contract/catalog.ts';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { recogniseType } from '../../../components/recognise-type.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { typeName, useChannelTypes } from '../../../queries/use-channel-types.ts';
import { useRefreshChannels, useRefreshTokens } from '../../../queries/use-invalidate.ts';

/** What the first steps choose among the models of a new channel. */
interface OfferedModel {
  readonly name: string;
  readonly priced: boolean;
}

/** Those with a price first, each in the upstream's order. */
export function pricedFirst(
  models: readonly string[],
  unpriced: readonly string[],
): readonly OfferedModel[] {
  const without = new Set(unpriced);
  const offered = [...new Set(models)].map((name) => ({ name, priced: !without.has(name) }));
  return [...offered.filter(({ priced }) => priced), ...offered.filter(({ priced }) => !priced)];
}

/**
 * The model with which the channel is tested and then tried: one that answers chats and has a
 * price, of those that the vendor is known for before others.
 */
export function modelToTry(
  chosen: readonly string[],
  rows: readonly Pick<PricingRow, 'model_name' | 'playground' | 'unpriced'>[],
  known: readonly string[],
): string | undefined {
  const own = new Set(chosen);
  const chats = rows
    .filter((row) => own.has(row.model_name) && row.playground === 'chat' && !row.unpriced)
    .map((row) => row.model_name);
  return known.find((name) => chats.includes(name)) ?? chats[0];
}

/** What came of it, as far as it went. */
export interface Connected {
  readonly channel?: number;
  /** With which it is tested; absent: no model of the channel answers chats. */
  readonly model?: string;
  /** Seconds that its test took. */
  readonly seconds?: number;
  /** The key of the token that was made; '': there is a token already. */
  readonly token?: string;
}

export function useQuickStart() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refreshChannels = useRefreshChannels();
  const refreshTokens = useRefreshTokens();
  const [key, setKey] = useState('');
  const [address, setAddress] = useState('');
  const [chosenType, chooseType] = useState<number>();
  const [models, setModels] = useState<readonly OfferedModel[]>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [connected, setConnected] = useState<Connected>({});
  /** Stays when the key is changed after its channel was made. */
  const channel = useRef<number>(undefined);
  /** Another number after each change: what a late reply says is about the values before. */
  const change = useRef(0);

  // Those that need no more than a key and an address; the full form has all.
  const types = useChannelTypes()?.filter(
    ({ available, other_required, complete_url }) => available && !other_required && !complete_url,
  );
  const found = types && recogniseType(types, { key, base_url: address });
  const type = chosenType ?? found ?? types?.[0]?.type;
  const facts = types?.find((one) => one.type === type);
  const access = { key: key.trim(), base_url: address.trim().replace(/\/+$/, '') };

  const verifying = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      if (facts === undefined) return;
      const begun = change.current;
      const listed = facts.lists_models
        ? await client.channel.previewModels({ type: facts.type, ...access })
        : facts.models;
      if (listed.length === 0) throw new CallError(t('quickStart.noModels'), 200);
      const unpriced = await client.catalog.unpriced({ models: [...listed] });
      if (change.current !== begun) return;
      const offered = pricedFirst(listed, unpriced);
      const priced = offered.filter((model) => model.priced);
      setPicked(new Set(priced.map(({ name }) => name)));
      setModels(offered);
    },
  });

  const connecting = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      if (facts === undefined) return;
      const begun = change.current;
      const chosen = [...picked];
      const values = {
        ...access,
        type: facts.type,
        name: typeName(facts.type),
        models: chosen.join(','),
        group: 'default',
      };
      let done: Connected = {};
      const note = (more: Connected) => {
        done = { ...done, ...more };
        if (change.current === begun) setConnected(done);
      };
      note({});
      if (channel.current === undefined)
        channel.current = (await client.channel.create(values)).ids[0];
      else await client.channel.update({ id: channel.current, ...values });
      const id = channel.current;
      if (id === undefined) return;
      note({ channel: id });
      const model = modelToTry(chosen, (await client.catalog.pricing()).data, facts.models);
      if (model !== undefined) note({ model });
      const test = await client.channel.test({ id, model: model ?? '' });
      if (!test.success) throw new CallError(test.message, 200);
      note({ seconds: test.time });
      const { total } = await client.token.list({ p: 0, size: 1 });
      const token =
        total > 0
          ? undefined
          : await client.token.create({ name: t('quickStart.token'), unlimited_quota: true });
      note({ token: token?.key ?? '' });
    },
    onSettled: async () => {
      await Promise.all([
        refreshChannels(),
        refreshTokens(),
        queryClient.invalidateQueries({ queryKey: queryKeys.pricing.all }),
      ]);
    },
  });

  /** What was read with other values says nothing about these. */
  const forget = () => {
    change.current += 1;
    setModels(undefined);
    verifying.reset();
    connecting.reset();
    setConnected({});
  };
  return {
    types,
    type,
    /** The vendor was named by the key or the address. */
    recognised: chosenType === undefined && found !== undefined,
    facts,
    key,
    address,
    setKey: (text: string) => {
      setKey(text);
      forget();
    },
    setAddress: (text: string) => {
      setAddress(text);
      forget();
    },
    chooseType: (next: number) => {
      chooseType(next);
      forget();
    },
    models,
    picked,
    pick: (name: string, on: boolean) =>
      setPicked((before) => {
        const next = new Set(before);
        if (on) next.add(name);
        else next.delete(name);
        return next;
      }),
    verify: () => verifying.mutate(),
    verifying: verifying.isPending,
    connect: () => connecting.mutate(),
    connecting: connecting.isPending,
    connected,
    failure: connecting.error ?? verifying.error,
  };
}
