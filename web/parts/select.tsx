interface SelectProps {
  /** Read by screen readers. */
  label: string;
  value: string;
  options: (readonly [key: string, name: string])[];
  onChange(value: string): void;
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {options.map(([key, name]) => (
      <option key={key} value={key}>
        {name}
      </option>
    ))}
  </select>
);
