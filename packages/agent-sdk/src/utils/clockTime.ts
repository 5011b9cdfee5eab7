/** A time as a person says it: the minute, with its day when that is not today. */
export function clockTime(time: Date, now: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = (date: Date) => [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const minute = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return day(time) === day(now) ? minute : `${day(time)} ${minute}`;
}
