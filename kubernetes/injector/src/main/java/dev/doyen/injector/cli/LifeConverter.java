package dev.doyen.injector.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 10s}, {@code 5m}, {@code 12h} and {@code 90d}. */
final class LifeConverter implements ITypeConverter<Duration> {

    private static final Pattern SPELLING = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        var matcher = SPELLING.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration; write it like 10s, 12h or 90d");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
