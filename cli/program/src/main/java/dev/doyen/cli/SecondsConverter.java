package dev.doyen.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses durations with a unit, and numbers of seconds such as {@code 30} or {@code 0.5}.
 *
 * <p>flock(1) also accepts numbers of seconds.
 */
final class SecondsConverter implements ITypeConverter<Duration> {

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,9})(?:\\.([0-9]{1,3}))?");

    private final DurationConverter withUnit = new DurationConverter();

    @Override
    public Duration convert(String text) {
        var matcher = SECONDS.matcher(text);
        if (matcher.matches()) {
            var fraction = matcher.group(2) == null ? "" : matcher.group(2);
            return Duration.ofSeconds(Long.parseLong(matcher.group(1)))
                    .plusMillis(Long.parseLong((fraction + "000").substring(0, 3)));
        }
        try {
            return withUnit.convert(text);
        } catch (TypeConversionException e) {
            throw new TypeConversionException("'" + text + "' is not a time; write it like 30, 0.5, 500ms, 30s or 2m");
        }
    }
}
