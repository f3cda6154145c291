/**
 * A first call with the new key, for each kind of client, to copy
 * (docs/rules/console.md#token-ticket).
 */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { type ClientKind, clientKinds, clientNames } from '../../components/client-kinds.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import {
  languageNames,
  type SampleLanguage,
  sampleLanguages,
  sampleModel,
  sampleOf,
} from '../../components/samples.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOwnModels } from '../../queries/use-groups.ts';
import { commaList } from './comma-list.ts';
import classes from './token-samples.module.css';

export function TokenSamples({ token, site }: { token: TokenEntity; site: string }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ClientKind>('openai');
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const own = useOwnModels();
  const models = token.model_limits_enabled ? commaList(token.model_limits) : own;
  const model = sampleModel(kind, models) ?? t('token.sample.model');
  const text = sampleOf(kind, language, { site, key: `sk-${token.key}`, model });
  return (
    <section className={classes.samples} aria-label={t('token.sample.title')}>
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label={t('token.sample.client')}
          data={clientKinds.map((value) => ({ value, label: clientNames[value] }))}
          value={kind}
          onChange={(value) => setKind(value as ClientKind)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('token.sample.language')}
          data={sampleLanguages.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(value) => setLanguage(value as SampleLanguage)}
        />
        <span className={classes.copy}>
          <CopyButton text={text} label={t('token.sample.copy')} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must scroll by keyboard as well */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
