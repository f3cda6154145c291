/** Columns shown, their order, and density; remembered per list (docs/rules/console.md#tables). */
import { Button, Checkbox, Popover, SegmentedControl } from '@mantine/core';
import { ChevronDown, ChevronUp, Columns3, GripVertical } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../components/icon-button.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './column-menu.module.css';
import type { Columns, Density } from './use-columns.ts';

export function ColumnMenu({ columns }: { columns: Columns }) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<string>();
  const { choices } = columns;
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <IconButton label={t('common.columns')}>
          <Columns3 size={16} strokeWidth={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <p className={classes.title}>{t('common.columns.title')}</p>
        <ul className={classes.list}>
          {choices.map((choice, index) => (
            <li
              key={choice.key}
              className={classes.item}
              draggable
              data-dragged={dragged === choice.key || undefined}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(choice.key);
              }}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => dragged !== undefined && columns.move(dragged, index)}
              onDragEnd={() => setDragged(undefined)}
            >
              <GripVertical size={14} className={classes.grip} aria-hidden="true" />
              <Checkbox
                size="xs"
                label={choice.label}
                checked={choice.shown}
                disabled={choice.fixed}
                onChange={() => columns.toggle(choice.key)}
                classNames={{ root: classes.check ?? '' }}
              />
              <button
                type="button"
                className={classes.step}
                disabled={index === 0}
                aria-label={t('common.columns.up', { name: choice.label })}
                onClick={() => columns.move(choice.key, index - 1)}
              >
                <ChevronUp size={14} />
              </button>
              <button
                type="button"
                className={classes.step}
                disabled={index === choices.length - 1}
                aria-label={t('common.columns.down', { name: choice.label })}
                onClick={() => columns.move(choice.key, index + 1)}
              >
                <ChevronDown size={14} />
              </button>
            </li>
          ))}
        </ul>
        <div className={classes.foot}>
          <SegmentedControl
            size="xs"
            aria-label={t('common.density')}
            value={columns.density}
            onChange={(value) => columns.setDensity(value as Density)}
            data={[
              { value: 'comfortable', label: t('common.density.comfortable') },
              { value: 'compact', label: t('common.density.compact') },
            ]}
          />
          <Button size="compact-xs" variant="subtle" onClick={columns.reset}>
            {t('common.reset')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
