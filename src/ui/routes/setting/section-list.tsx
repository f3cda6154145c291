import { Link, useLocation } from 'react-router';
import { type OptionKey, optionFacts, type PanelId } from '../../../core/options/facts.ts';
import { panelOfHash, settingAddress } from '../../browser/setting-address.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './setting.module.css';
import { useSectionInView } from './use-section-in-view.ts';

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
