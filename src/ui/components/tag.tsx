/**
 * Measured values are tinted tags, names are outlined ones; a cell takes two, the rest is "+n"
 * (docs/rules/console.md#tags-and-status).
 */
import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import type { Tone } from './status-dot.tsx';
import classes from './tag.module.css';

export function ValueTag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.value} data-tone={tone}>
      {children}
    </span>
  );
}

/** A measured value that says more on hover and focus; `why` may have several lines. */
export function ExplainedTag({
  tone,
  why,
  children,
}: {
  tone: Tone;
  why: string;
  children: ReactNode;
}) {
  return (
    <Tooltip
      label={why}
      multiline
      style={{ whiteSpace: 'pre-line' }}
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be readable by keyboard, too */}
      <span className={classes.value} data-tone={tone} data-explained tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}

/** In the place of a stored key that cannot be decrypted. */
export function UnreadableKey() {
  const { t } = useTranslation();
  return <ValueTag tone="red">{t('common.unreadable')}</ValueTag>;
}

function NameTag({ children }: { children: ReactNode }) {
  return <span className={classes.name}>{children}</span>;
}

/** `shown` outlined names, the rest behind "+n" with a tooltip. */
export function NameTags({ names, shown = 2 }: { names: readonly string[]; shown?: number }) {
  const rest = names.slice(shown);
  return (
    <span className={classes.list}>
      {names.slice(0, shown).map((name) => (
        <NameTag key={name}>{name}</NameTag>
      ))}
      {rest.length > 0 && (
        <Tooltip
          label={rest.join(' · ')}
          multiline
          events={{ hover: true, focus: true, touch: true }}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is folded away must be readable by keyboard */}
          <span className={classes.rest} tabIndex={0}>
            +{rest.length}
          </span>
        </Tooltip>
      )}
    </span>
  );
}
