/** What a task made, in a cell: its first image, or a word; how many there are. */
import type { TaskResult } from '../../../core/contract/task-results.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ImagePreview } from './preview.tsx';
import classes from './task-log.module.css';
import { dash } from './work-cells.tsx';

function kindOf({ video, audio, image }: TaskResult): 'video' | 'audio' | 'image' | 'text' {
  if (audio !== '') return 'audio';
  if (video !== '') return 'video';
  return image === '' ? 'text' : 'image';
}

export function ResultKinds({ results, name }: { results: readonly TaskResult[]; name: string }) {
  const { t } = useTranslation();
  const [first] = results;
  if (first === undefined) return dash;
  return (
    <span className={classes.kinds}>
      {first.image !== '' && <ImagePreview address={first.image} name={first.title || name} />}
      <span className={classes.dim}>
        {t(`taskLog.result.${kindOf(first)}`)}
        {results.length > 1 && ` × ${results.length}`}
      </span>
    </span>
  );
}
