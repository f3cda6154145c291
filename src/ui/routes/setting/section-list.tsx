import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type OptionKey, optionFacts, type PanelId } from '../../../core/options/facts.ts';
import { panelOfHash, settingAddress } from '../../browser/setting-address.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './setting.module.css';

/** Below the bars at the top, and below the edge at which a section stands that was gone to. */
const belowBars = 140;

/**
 * The id of the topmost of these elements that is in view. `chosen`: one that was gone to; at the
 * end of the page it counts wherever it stands, because it can come no higher.
 */
function useSectionInView(ids: readonly string[], chosen: string | undefined): string | undefined {
  const [current, setCurrent] = useState<string>();
  const names = ids.join(' ');
  useEffect(() => {
    const visible = new Set<string>();
    const order = names.split(' ');
    const mark = () => {
      const last = document.getElementById(order.at(-1) ?? '');
      const isEnd = last !== null && last.getBoundingClientRect().bottom <= window.innerHeight;
      const topmost = order.find((id) => visible.has(id));
      setCurrent((before) =>
        isEnd && chosen !== undefined && visible.has(chosen) ? chosen : (topmost ?? before),
      );
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        mark();
      },
      { rootMargin: `-${belowBars}px 0px 0px 0px` },
    );
    for (const id of order) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    window.addEventListener('scrollend', mark, true);
    return () => {
      observer.disconnect();
      window.removeEventListener('scrollend', mark, true);
    };
  }, [names, chosen]);
  return current !== undefined && ids.includes(current) ? current : ids[0];
}

interface SectionListProps {
  readonly panels: readonly PanelId[];
  /** Options with unsaved changes: their sections are marked. */
  readonly changed: readonly OptionKey[];
}

/** Links to the sections of the page; the one in view is marked. */
export function SectionList({ panels, changed }: SectionListProps) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const current = useSectionInView(panels, panelOfHash(useLocation().hash));
  return (
    <nav className={classes.sections} aria-label={t('setting.sections')}>
      <ul>
        {panels.map((panel) => (
          <li key={panel}>
            <Link
              to={settingAddress(panel)}
              replace
              aria-current={panel === current ? 'true' : undefined}
              data-changed={changed.some((key) => optionFacts(key).panel === panel) || undefined}
            >
              {texts.panel(panel)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
