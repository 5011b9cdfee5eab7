const two = (number: number) => String(number).padStart(2, "0");

/** The day where the person is: "2026-11-15". */
export const localDay = (date: Date): string =>
  [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");

/** "2026-11-15 14:32". */
export const localMinute = (date: Date): string =>
  `${localDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;

/** When a session began, by its id: a UUID of version 7 begins with its millisecond. */
export function beganAt(id: string): Date | undefined {
  const date = new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** When something was recorded, as a person's clock showed it. What is no readable time stays what it is. */
export function localTime(ts: string): string {
  const { day, time } = dayAndTime(ts);
  return day === undefined ? time : `${day} ${time}`;
}

/** "2026-11-15" and "14:32:07". */
export function dayAndTime(ts: string): { day: string | undefined; time: string } {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return { day: undefined, time: ts };
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return { day: localDay(date), time };
}
