import { MoveRight } from 'lucide-react';
import { Fragment } from 'react';
import type { LogView } from '../../../core/logs/log-view.ts';
import classes from './log.module.css';

/** `#9 → #10`: the channels that were tried; the one that served stands in ink. */
export function ChannelsText({ row }: { row: LogView }) {
  const { channels, entity } = row;
  if (channels.length === 0) return <span className={classes.dim}>—</span>;
  return (
    <span className={classes.channels} title={entity.channel_name}>
      {channels.map((id, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the attempts is their identity
        <Fragment key={index}>
          {index > 0 && <MoveRight size={12} strokeWidth={1.75} aria-label="→" />}
          <span className={index < channels.length - 1 ? classes.dim : undefined}>#{id}</span>
        </Fragment>
      ))}
    </span>
  );
}
