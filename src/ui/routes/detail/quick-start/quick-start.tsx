/**
 * The first channel, on the dashboard of a site that has none: paste a key, verify it, connect its
 * models, try one (docs/rules/console.md#quick-start).
 */
import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { failureText } from '../../../client/failures.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ModelLogo, TypeLogo } from '../../../components/provider-logo.tsx';
import { ValueTag } from '../../../components/tag.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { typeName } from '../../../queries/use-channel-types.ts';
import classes from './quick-start.module.css';
import { type Connected, useQuickStart } from './use-quick-start.ts';

type Start = ReturnType<typeof useQuickStart>;

export function QuickStart() {
  const { t } = useTranslation();
  const start = useQuickStart();
  const { models, picked, connected, failure } = start;
  const isDone = connected.token !== undefined;
  return (
    <div className={classes.start}>
      <AccessFields start={start} />
      {models !== undefined && <Models start={start} />}
      {connected.channel !== undefined && <Progress connected={connected} />}
      {failure !== null && (
        <p role="alert" className={classes.failure}>
          {failureText(failure)}
        </p>
      )}
      <div className={classes.acts}>
        {models === undefined ? (
          <Button loading={start.verifying} onClick={start.verify}>
            {t('quickStart.verify')}
          </Button>
        ) : isDone ? (
          connected.model !== undefined && (
            <Button
              component={Link}
              to={`/playground?${new URLSearchParams({ model: connected.model })}`}
            >
              {t('quickStart.try', { model: connected.model })}
            </Button>
          )
        ) : (
          <Button loading={start.connecting} disabled={picked.size === 0} onClick={start.connect}>
            {t(failure === null ? 'quickStart.connect' : 'quickStart.again', {
              count: picked.size,
            })}
          </Button>
        )}
        <Link to={connected.channel === undefined ? '/channel?new=1' : '/channel'}>
          {t(connected.channel === undefined ? 'quickStart.form' : 'quickStart.channels')}
        </Link>
      </div>
    </div>
  );
}

/** Key, vendor and address. */
function AccessFields({ start }: { readonly start: Start }) {
  const { t } = useTranslation();
  const { types, type, facts, recognised } = start;
  const place = useRef<HTMLTextAreaElement>(null);
  // A key can be pasted without a click.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  const home = facts?.default_base_url;
  return (
    <>
      <Textarea
        ref={place}
        label={t('quickStart.key')}
        description={t('quickStart.key.hint')}
        placeholder={facts?.key_example ?? ''}
        autosize
        minRows={1}
        maxRows={4}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
        value={start.key}
        onChange={(event) => start.setKey(event.currentTarget.value)}
      />
      <div className={classes.pair}>
        <Select
          label={t('quickStart.vendor')}
          description={t(recognised ? 'quickStart.vendor.found' : 'quickStart.vendor.hint')}
          searchable
          allowDeselect={false}
          openOnFocus={false}
          leftSection={
            type === undefined ? null : <TypeLogo type={type} name={typeName(type)} size={16} />
          }
          data={(types ?? []).map((one) => ({ value: String(one.type), label: one.name }))}
          value={type === undefined ? null : String(type)}
          onChange={(next) => next !== null && start.chooseType(Number(next))}
        />
        <TextInput
          label={t('quickStart.address')}
          description={t(home === null ? 'quickStart.address.needed' : 'quickStart.address.hint')}
          placeholder={home || 'https://'}
          classNames={{ input: classes.code ?? '' }}
          value={start.address}
          onChange={(event) => start.setAddress(event.currentTarget.value)}
        />
      </div>
    </>
  );
}

/** Those with a price first; the others are named as what cannot be called yet. */
function Models({ start }: { readonly start: Start }) {
  const { t } = useTranslation();
  const { models = [], picked } = start;
  const id = useId();
  const unpriced = models.filter(({ priced }) => !priced).length;
  return (
    <div>
      <p className={classes.summary}>
        {t('quickStart.models', { count: models.length })}
        {unpriced > 0 && t('quickStart.models.unpriced', { count: unpriced })}
      </p>
      <ul className={classes.models} aria-label={t('quickStart.models.label')}>
        {models.map(({ name, priced }, index) => (
          <li key={name}>
            {/* The whole line is tapped. */}
            <label className={classes.label} htmlFor={`${id}${index}`}>
              <Checkbox
                id={`${id}${index}`}
                size="xs"
                checked={picked.has(name)}
                onChange={(event) => start.pick(name, event.currentTarget.checked)}
              />
              <ModelLogo model={name} size={16} />
              <span className={classes.name}>{name}</span>
              {!priced && <ValueTag tone="org">{t('quickStart.unpriced')}</ValueTag>}
            </label>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Progress({ connected }: { readonly connected: Connected }) {
  const { t } = useTranslation();
  const { seconds, model, token } = connected;
  return (
    <ul className={classes.progress} role="status">
      <Done>{t('quickStart.done.channel')}</Done>
      {seconds !== undefined && (
        <Done>
          {model === undefined
            ? t('quickStart.done.test', { time: seconds.toFixed(2) })
            : t('quickStart.done.test.model', { model, time: seconds.toFixed(2) })}
        </Done>
      )}
      {token !== undefined && token !== '' && (
        <Done>
          {t('quickStart.done.token')}{' '}
          <CopyButton text={`sk-${token}`} label={t('quickStart.token.copy')} />
        </Done>
      )}
    </ul>
  );
}

function Done({ children }: { readonly children: ReactNode }) {
  return (
    <li>
      <Check size={14} strokeWidth={2.5} aria-hidden="true" /> {children}
    </li>
  );
}
