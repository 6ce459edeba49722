package dev.doyen.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 5s} and {@code 2m}. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern SPELLING = Pattern.compile("([0-9]{1,9})(ms|s|m)");

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    static Duration parse(String text) {
        var matcher = SPELLING.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration; write it like 500ms, 5s or 2m");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }
}
