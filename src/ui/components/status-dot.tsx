/**
 * Status = dot + word, no pill (docs/rules/console.md#tags-and-status). A ring, not a disc, says
 * switched off.
 */
import { Tooltip } from '@mantine/core';
import classes from './status-dot.module.css';

export type Tone = 'ok' | 'lime' | 'yel' | 'org' | 'red' | 'blu' | 'vio' | 'off';

interface StatusDotProps {
  readonly tone: Tone;
  readonly label: string;
  /** Reason and time: the word is dotted-underlined and tells them on hover and focus. */
  readonly detail?: string | undefined;
}

export function StatusDot({ tone, label, detail }: StatusDotProps) {
  const word =
    detail === undefined ? (
      <span>{label}</span>
    ) : (
      <Tooltip label={detail} multiline events={{ hover: true, focus: true, touch: true }}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be readable by keyboard, too */}
        <span className={classes.detail} tabIndex={0}>
          {label}
        </span>
      </Tooltip>
    );
  return (
    <span className={classes.root}>
      <i className={classes.dot} data-tone={tone} aria-hidden="true" />
      {word}
    </span>
  );
}
