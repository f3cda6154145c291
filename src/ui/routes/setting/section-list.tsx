import type { PanelId } from '../../../core/options/facts.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './setting.module.css';
import { useSectionInView } from './use-section-in-view.ts';

/** Links to the sections of the page; the one in view is marked. */
export function SectionList({ panels }: { readonly panels: readonly PanelId[] }) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const current = useSectionInView(panels);
  return (
    <nav className={classes.sections} aria-label={t('setting.sections')}>
      <ul>
        {panels.map((panel) => (
          <li key={panel}>
            <button
              type="button"
              aria-current={panel === current ? 'true' : undefined}
              onClick={() => document.getElementById(panel)?.scrollIntoView({ block: 'start' })}
            >
              {texts.panel(panel)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
