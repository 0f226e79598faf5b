import { useEffect, useState } from 'preact/hooks';
import { lastRanges } from './asked-day.ts';
import { daysAgo } from './days.ts';
import { Icon } from './icon.tsx';
import { Select } from './select.tsx';
import { Key } from './states.tsx';

/** A search filter: chips if several values can be set, a selection if one can, and else a text field. */
export interface Filter {
  name: string;
  label: string;
  options?: [string, string][];
  several?: true;
}

export const noteKinds: [string, string][] = [
  ['decision', 'Decisions'],
  ['rule', 'Rules'],
  ['fix', 'Fixes'],
  ['failed', 'Failed attempts'],
  ['knowledge', 'Knowledge'],
];

export const fileFilter: Filter = { name: 'file', label: 'File' };

interface FiltersProps {
  filters: Filter[];
  /** Values by the name of the filter, and the days as `from` and `to`. Several values are separated by commas. */
  set: Record<string, string>;
  onChange(changes: Record<string, string>): void;
}

export function FilterChips({ filters, set, onChange }: FiltersProps) {
  const rows = [filters.filter(({ several }) => several), filters.filter(({ several }) => !several)] as const;
  const isSet = Object.values(set).some((value) => value !== '');
  const clear = () => onChange(Object.fromEntries(Object.keys(set).map((name) => [name, ''])));
  return (
    <div class="filters">
      {rows[0].map((filter) => (
        <Toggles
          key={filter.name}
          {...filter}
          value={set[filter.name] ?? ''}
          onPick={(value) => onChange({ [filter.name]: value })}
        />
      ))}
      <div class="filter-row">
        <Days from={set.from ?? ''} to={set.to ?? ''} onPick={(from, to) => onChange({ from, to })} />
        {rows[1].map((filter) => (
          <OneValue
            key={filter.name}
            {...filter}
            value={set[filter.name] ?? ''}
            onPick={(value) => onChange({ [filter.name]: value })}
          />
        ))}
        {isSet && (
          <button type="button" class="chip clear-filters" onClick={clear}>
            <Icon name="close" /> Clear filters
          </button>
        )}
      </div>
    </div>
  );
}

interface FieldProps extends Filter {
  value: string;
  onPick(value: string): void;
}

function Toggles({ label, options = [], value, onPick }: FieldProps) {
  const chosen = value === '' ? [] : value.split(',');
  const toggle = (key: string) =>
    onPick((chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key]).join(','));
  return (
    <fieldset class="filter-row">
      <legend class="unseen">{label}</legend>
      {options.map(([key, name]) => (
        <button
          key={key}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(key)}
          onClick={() => toggle(key)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const OneValue = ({ label, value, options, onPick }: FieldProps) => (
  <span class="chip-field" data-set={value !== '' || undefined}>
    {options === undefined ? (
      <TypedValue label={label} value={value} onPick={onPick} />
    ) : (
      <Select
        label={label}
        value={value}
        options={[['', `Any ${label.toLowerCase()}`], ...options]}
        onChange={onPick}
      />
    )}
  </span>
);

/** A field that is applied by Enter, because a part of a name matches nothing. It shows the key until then. */
function TypedValue({ label, value, onPick }: Omit<FieldProps, 'name'>) {
  const [typed, type] = useState(value);
  useEffect(() => type(value), [value]);
  return (
    <>
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        size={12}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={() => onPick(typed.trim())}
      />
      {typed.trim() !== value && (
        <button type="button" class="chip" onClick={() => onPick(typed.trim())}>
          Apply <Key of="Enter" />
        </button>
      )}
    </>
  );
}

interface DaysProps {
  from: string;
  to: string;
  onPick(from: string, to: string): void;
}

function Days({ from, to, onPick }: DaysProps) {
  const today = daysAgo(0);
  return (
    <fieldset class="filter-row">
      <legend class="unseen">Days</legend>
      {lastRanges.map((range) => {
        const [first, last] = [daysAgo(range.from), daysAgo(range.to)];
        const isChosen = from === first && to === last;
        return (
          <button
            key={range.name}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            onClick={() => (isChosen ? onPick('', '') : onPick(first, last))}
          >
            {range.name}
          </button>
        );
      })}
      <span class="chip-field" data-set={from !== '' || undefined}>
        <input
          type="date"
          aria-label={from === '' ? 'Jump to a day' : 'First day'}
          max={today}
          value={from}
          onChange={({ currentTarget: { value } }) => onPick(value, value === '' || to > value ? to : value)}
        />
      </span>
      {from !== '' && (
        <>
          <span class="muted">to</span>
          <span class="chip-field" data-set>
            <input
              type="date"
              aria-label="Last day"
              min={from}
              max={today}
              value={to}
              onChange={({ currentTarget: { value } }) => onPick(from, value < from ? from : value)}
            />
          </span>
        </>
      )}
    </fieldset>
  );
}
