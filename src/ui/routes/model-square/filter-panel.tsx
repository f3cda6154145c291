/** The filters of the square: a column of 208 px, on phones a sheet. */
import { Checkbox, Radio } from '@mantine/core';
import { useId, useState } from 'react';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './filter-panel.module.css';
import type { Facet, FacetName } from './square-filter.ts';

/** Choices of a filter that are shown before the others are requested. */
const shownFirst = 8;

interface FilterPanelProps {
  readonly facets: readonly Facet[];
  readonly onChoose: (name: FacetName, values: readonly string[]) => void;
}

export function FilterPanel({ facets, onChoose }: FilterPanelProps) {
  return facets.map((facet) => (
    <FacetGroup
      key={facet.name}
      facet={facet}
      onChoose={(values) => onChoose(facet.name, values)}
    />
  ));
}

function FacetGroup({
  facet,
  onChoose,
}: {
  facet: Facet;
  onChoose: (values: readonly string[]) => void;
}) {
  const { t } = useTranslation();
  const { label, single, chosen, choices } = facet;
  const [whole, setWhole] = useState(false);
  const name = useId();
  const title = useId();
  const isFolded = !whole && choices.length > shownFirst + 1;
  // What is chosen stays in sight.
  const shown = isFolded
    ? choices.filter(({ value }, index) => index < shownFirst || chosen.includes(value))
    : choices;
  const toggle = (value: string) => {
    if (chosen.includes(value)) onChoose(chosen.filter((other) => other !== value));
    else onChoose(single ? [value] : [...chosen, value]);
  };
  return (
    <fieldset className={classes.group} aria-labelledby={title}>
      <div className={classes.head}>
        <span id={title}>{label}</span>
        {chosen.length > 0 && (
          <button
            type="button"
            className={classes.clear}
            aria-label={t('square.filter.clearOne', { name: label })}
            onClick={() => onChoose([])}
          >
            {t('common.clear')}
          </button>
        )}
      </div>
      {shown.map(({ value, label: text, count, logo }) => {
        const input = {
          size: 'xs',
          checked: chosen.includes(value),
          onChange: () => toggle(value),
          classNames: {
            root: classes.option ?? '',
            body: classes.body ?? '',
            labelWrapper: classes.words ?? '',
            label: classes.label ?? '',
          },
          label: (
            <>
              {logo !== undefined && <CatalogLogo {...logo} size={16} />}
              <span className={classes.name} title={text}>
                {text}
              </span>
              <span className={classes.count}>{count}</span>
            </>
          ),
        } as const;
        return single ? (
          <Radio key={value} name={name} {...input} />
        ) : (
          <Checkbox key={value} {...input} />
        );
      })}
      {choices.length > shownFirst + 1 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole
            ? t('square.filter.fewer')
            : t('square.filter.more', { count: choices.length - shown.length })}
        </button>
      )}
    </fieldset>
  );
}
