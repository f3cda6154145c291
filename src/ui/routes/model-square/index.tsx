/**
 * The models of the site as cards with filters, for visitors and users
 * (docs/rules/console.md#model-square-screen).
 */

import { Button } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { latePart } from '../../client/late-part.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { ListPage, PageHeader } from '../../components/page.tsx';
import { EmptyState, FailedState, NoMatchState } from '../../components/states.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useUrlParameter } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { SearchField } from '../../list/search-field.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { LoadingGrid, ModelGrid } from './model-grid.tsx';
import classes from './square.module.css';
import { useSquare } from './use-square.ts';

// The cards come first; these load when somebody opens one, or filters on a phone.
const ModelDrawer = latePart(async () => ({
  default: (await import('./model-drawer.tsx')).ModelDrawer,
}));
const FilterDrawer = latePart(async () => ({
  default: (await import('./filter-drawer.tsx')).FilterDrawer,
}));

export function ModelSquareScreen() {
  const { t } = useTranslation();
  const phone = usePhone();
  const square = useSquare();
  const { models, found, facets, groups, state } = square;
  const [hidden, setHidden] = useState(
    () => readStored(storageKeys.squareFiltersHidden) === 'true',
  );
  const [sheet, setSheet] = useState(false);
  const drawer = useModelDrawer();
  const toggle = () => {
    writeStored(storageKeys.squareFiltersHidden, String(!hidden));
    setHidden(!hidden);
  };
  const search = (
    <SearchField
      value={state.q}
      onSearch={square.search}
      placeholder={t('square.search')}
      width={240}
    />
  );
  const isEmpty = models?.length === 0;
  const isWaiting = found === undefined && square.error === null;
  const content = () => {
    if (found === undefined) {
      if (square.error !== null)
        return (
          <FailedState title={t('square.failed')} error={square.error} onRetry={square.retry} />
        );
      return <LoadingGrid />;
    }
    if (isEmpty)
      return <EmptyState title={t('square.empty.title')} text={t('square.empty.text')} />;
    if (found.length === 0)
      return <NoMatchState title={t('square.noMatch')} onClear={square.clear} />;
    return (
      <ModelGrid
        models={found}
        groups={groups}
        current={drawer.model}
        detailsOf={drawer.addressOf}
      />
    );
  };
  return (
    <ListPage>
      <PageHeader
        title={t('square.title')}
        count={found?.length}
        sentence={phone ? undefined : t('square.subtitle')}
        actions={
          isEmpty || phone ? undefined : (
            <>
              {search}
              {square.filtered && (
                <Button variant="subtle" color="gray" onClick={square.clear}>
                  {t('common.clearAll')}
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<SlidersHorizontal size={16} strokeWidth={1.75} />}
                aria-expanded={!hidden}
                onClick={toggle}
              >
                {t(hidden ? 'square.filters.show' : 'square.filters.hide')}
              </Button>
            </>
          )
        }
      />
      {phone && !isEmpty && (
        <div className={classes.search}>
          {search}
          <IconButton label={t('square.filters')} size={44} onClick={() => setSheet(true)}>
            <SlidersHorizontal size={18} strokeWidth={1.75} />
          </IconButton>
        </div>
      )}
      <div className={classes.body}>
        {/* Their place is kept until they are known. */}
        {!phone && !hidden && (facets.length > 0 || isWaiting) && (
          <section className={classes.filters} aria-label={t('square.filters')}>
            <FilterPanel facets={facets} onChoose={square.choose} />
          </section>
        )}
        {/* Other filters begin at the top. */}
        <div key={JSON.stringify(state)} className={classes.main}>
          {content()}
        </div>
      </div>
      <Suspense fallback={null}>
        {sheet && (
          <FilterDrawer
            found={found?.length ?? 0}
            filtered={square.filtered}
            onClear={square.clear}
            onClose={() => setSheet(false)}
          >
            <FilterPanel facets={facets} onChoose={square.choose} />
          </FilterDrawer>
        )}
        {drawer.model !== '' && models !== undefined && (
          <ModelDrawer
            key={drawer.model}
            name={drawer.model}
            model={models.find(({ model }) => model === drawer.model)}
            groups={groups}
            onClose={drawer.close}
          />
        )}
      </Suspense>
    </ListPage>
  );
}

/** The parameter `model` opens the details of that model; Back closes them. */
function useModelDrawer() {
  const [parameters] = useSearchParams();
  const [model, write] = useUrlParameter('model');
  const { state } = useLocation();
  const navigate = useNavigate();
  return {
    model,
    addressOf: (name: string) => {
      const next = new URLSearchParams(parameters);
      next.set('model', name);
      return `?${next}`;
    },
    close: () => {
      if ((state as { drawer?: boolean } | null)?.drawer === true) void navigate(-1);
      else write('', { replace: true });
    },
  };
}
