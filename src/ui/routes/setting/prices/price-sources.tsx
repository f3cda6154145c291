/** What prices would become by a source (docs/rules/pricing.md#price-sources). */
import { Button, Checkbox, NumberInput, Select, Table, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PricedModelEntity } from '../../../../core/contract/price-sync.ts';
import { decimal } from '../../../../core/kernel/decimal.ts';
import { priceWords } from '../../../../core/pricing/all-prices.ts';
import { formatPrice } from '../../../../core/pricing/format.ts';
import { unreadableWords } from '../../../../core/pricing/unreadable-words.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { CostText } from '../../../components/money-text.tsx';
import { currentLanguage, useTranslation } from '../../../i18n/index.ts';
import { useRefreshOptions } from '../../../queries/use-invalidate.ts';
import classes from './prices.module.css';

/** As the server names them (core/pricing/source-prices.ts). */
const named = ['catalogue', 'litellm', 'models.dev', 'openrouter'] as const;
const margins = { min: 0.01, max: 1000 } as const;
const follows = ['no', 'tell', 'save'] as const;

export function PriceSources() {
  const { t } = useTranslation();
  const refresh = useRefreshOptions();
  const [address, setAddress] = useState<string>(named[0]);
  const [typed, setTyped] = useState<number | string>(1);
  const margin = typed === '' ? Number.NaN : Number(typed);
  const isMargin = margin >= margins.min && margin <= margins.max;
  const [follow, setFollow] = useState<(typeof follows)[number]>('no');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const look = useMutation({
    mutationFn: () => client.priceSync.preview({ source: address.trim(), margin }),
    onSuccess: () => setChosen(new Set()),
  });
  const { data } = look;
  const models = data?.models ?? [];
  const save = useMutation({
    mutationFn: (below_cost: boolean) =>
      client.priceSync.apply({
        below_cost,
        source: address.trim(),
        margin,
        follow,
        models: models
          .filter(({ model }) => chosen.has(model))
          .map(({ model, version }) => ({ model, version })),
      }),
    onSuccess: async () => {
      toastSuccess(t('prices.source.saved', { count: chosen.size }));
      await refresh();
      look.mutate();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMargin) look.mutate();
  };
  const ask = async () => {
    const { agreeBelowCost } = await import('../../../form/option-problem.ts');
    const below = data?.below_cost.filter(({ model }) => chosen.has(model)) ?? [];
    const agreed = await agreeBelowCost(below);
    if (agreed !== undefined) save.mutate(agreed);
  };
  const choose = (model: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(model);
    else next.delete(model);
    setChosen(next);
  };
  return (
    <>
      <p className={classes.dim}>{t('prices.source.hint')}</p>
      <form className={classes.bar} onSubmit={submit}>
        <TextInput
          aria-label={t('prices.source')}
          list="price-sources"
          value={address}
          onChange={({ currentTarget }) => {
            setAddress(currentTarget.value);
            look.reset();
          }}
        />
        <datalist id="price-sources">
          {named.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <NumberInput
          aria-label={t('prices.source.margin')}
          prefix="× "
          {...margins}
          step={0.1}
          w={96}
          value={typed}
          error={!isMargin}
          onChange={(value) => {
            setTyped(value);
            look.reset();
          }}
        />
        <Button
          type="submit"
          variant="default"
          size="xs"
          loading={look.isPending}
          disabled={!isMargin}
        >
          {t('prices.source.look')}
        </Button>
      </form>
      {(data?.skipped.length ?? 0) > 0 && (
        <>
          <p className={classes.warn}>{t('prices.source.skipped')}</p>
          <ul className={classes.dim} aria-label={t('prices.source.skipped')}>
            {data?.skipped.map(({ model, reason }) => (
              <li key={model}>
                {model}: {unreadableWords[reason][currentLanguage()]}
              </li>
            ))}
          </ul>
        </>
      )}
      {data !== undefined && models.length === 0 && (
        <p className={classes.dim}>{t('prices.source.none', { count: data.found })}</p>
      )}
      {models.length > 0 && (
        <>
          <Table aria-label={t('prices.source')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Checkbox
                    aria-label={t('prices.source.all')}
                    checked={chosen.size === models.length}
                    onChange={({ currentTarget }) =>
                      setChosen(
                        new Set(currentTarget.checked ? models.map(({ model }) => model) : []),
                      )
                    }
                  />
                </Table.Th>
                <Table.Th>{t('prices.source.model')}</Table.Th>
                <Table.Th>{t('prices.source.change')}</Table.Th>
                <Table.Th>{t('prices.source.paid')}</Table.Th>
                <Table.Th>{t('prices.source.wouldPay')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {models.map((row) => (
                <ModelRow
                  key={row.model}
                  row={row}
                  chosen={chosen.has(row.model)}
                  onChoose={choose}
                />
              ))}
            </Table.Tbody>
          </Table>
          {data?.partial === true && <p className={classes.warn}>{t('prices.source.partial')}</p>}
          {(data?.users.length ?? 0) > 0 && (
            <ul className={classes.dim} aria-label={t('prices.source.users')}>
              {data?.users.map(({ user_id, username, paid, would_pay }) => (
                <li key={user_id}>
                  {username}: <CostText quota={paid} /> → <CostText quota={would_pay} />
                </li>
              ))}
            </ul>
          )}
          <div className={classes.bar}>
            <Select
              aria-label={t('prices.source.follow')}
              allowDeselect={false}
              data={follows.map((value) => ({ value, label: t(`prices.source.follow.${value}`) }))}
              value={follow}
              onChange={(value) => setFollow(follows.find((name) => name === value) ?? 'no')}
            />
            <Button
              size="xs"
              disabled={chosen.size === 0}
              loading={save.isPending}
              onClick={() => void ask()}
            >
              {t('prices.source.save', { count: chosen.size })}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

const priceText = (price: number | null) =>
  price === null ? '—' : formatPrice(decimal(price)).text;

function ModelRow({
  row: { model, changes, paid, would_pay },
  chosen,
  onChoose,
}: {
  readonly row: PricedModelEntity;
  readonly chosen: boolean;
  readonly onChoose: (model: string, on: boolean) => void;
}) {
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={model}
          checked={chosen}
          onChange={({ currentTarget }) => onChoose(model, currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>{model}</Table.Td>
      <Table.Td>
        {changes.map(({ kind, site, source }) => (
          <div key={kind}>
            {priceWords(kind, currentLanguage())}: {priceText(site)} → {priceText(source)}
          </div>
        ))}
      </Table.Td>
      <Table.Td>
        <CostText quota={paid} />
      </Table.Td>
      <Table.Td>
        <CostText quota={would_pay} />
      </Table.Td>
    </Table.Tr>
  );
}
