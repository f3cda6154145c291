/**
 * A first call of the model to copy, in the words of each client that can chat with it, else by
 * curl.
 */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { modelTypeOf } from '../../../core/vocabulary/model-square.ts';
import { siteAddress } from '../../browser/site-address.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { logoOfModel } from '../../components/provider-logo-names.ts';
import {
  curlOf,
  languageNames,
  type SampleLanguage,
  sampleKey,
  sampleLanguages,
  sampleOf,
} from '../../components/samples.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './model-drawer.module.css';

/** The client whose vendor made the model. */
function clientOf(model: string) {
  const logo = logoOfModel(model);
  return logo === 'claude' ? 'anthropic' : logo === 'gemini' ? 'gemini' : 'openai';
}

export function CallExample({ model }: { model: CatalogModel }) {
  const { t } = useTranslation();
  const status = useStatus();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const site = siteAddress(status?.server_address ?? '', window.location.origin);
  const type = modelTypeOf(model.type) ?? modelTypeOf(model.type_en) ?? 'chat';
  const values = { site, key: sampleKey, model: model.model };
  const isChat = type === 'chat';
  const text = isChat ? sampleOf(clientOf(model.model), language, values) : curlOf(type, values);
  return (
    <section>
      <h3 className={classes.section}>{t('square.example')}</h3>
      <div className={classes.code}>
        <div className={classes.codeHead}>
          {isChat ? (
            <SegmentedControl
              size="xs"
              aria-label={t('square.example.language')}
              data={sampleLanguages.map((value) => ({ value, label: languageNames[value] }))}
              value={language}
              onChange={(value) => setLanguage(value as SampleLanguage)}
            />
          ) : (
            <span>{languageNames.curl}</span>
          )}
          <CopyButton text={text} label={t('square.example.copy')} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must scroll by keyboard as well */}
        <pre tabIndex={0}>{text}</pre>
      </div>
    </section>
  );
}
