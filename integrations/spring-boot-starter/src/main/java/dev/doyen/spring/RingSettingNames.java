package dev.doyen.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;

/**
 * Rejects settings under {@code doyen.ring.} that do not exist. Spring would ignore such a setting, and the
 * application would run without a feature that the user relies on.
 */
final class RingSettingNames {

    private static final ConfigurationPropertyName RING = ConfigurationPropertyName.of("doyen.ring");

    /** The names of the settings as written in a file, such as {@code election-timeout}. */
    private static final List<String> KNOWN = Arrays.stream(RingProperties.class.getRecordComponents())
            .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
            .toList();

    /** The names of the settings in the form in which Spring compares names. */
    private static final Set<String> UNIFORM =
            KNOWN.stream().map(name -> name.replace("-", "")).collect(Collectors.toUnmodifiableSet());

    /**
     * The settings for voters, which earlier versions had. With voters, at most one side of a network partition had a
     * leader.
     */
    private static final Set<String> OF_VOTERS = Set.of("voters", "promises");

    /** The variables that Kubernetes sets in each container if a Service has the name doyen-ring. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile("DOYEN_RING_(SERVICE_(HOST|PORT.*)|PORT|PORT_[0-9]+_.*)");

    private RingSettingNames() {}

    /**
     * Throws {@link DoyenRefusedException} if a setting under {@code doyen.ring} does not exist.
     *
     * <p>The check covers files, properties and the environment.
     */
    static void check(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource settings) {
                settings.stream().filter(RING::isAncestorOf).forEach(name -> check(name, settings));
            }
        }
    }

    private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        String setting = name.getElement(RING.getNumberOfElements(), Form.UNIFORM);
        ConfigurationProperty set = source.getConfigurationProperty(name);
        if (UNIFORM.contains(setting) || set == null || isOfAService(set)) {
            return;
        }
        throw new DoyenRefusedException(name + " is set, by " + origin(set) + ", and is not a setting"
                + (OF_VOTERS.contains(setting)
                        ? " any more, because voters were removed; follow docs/guide/migrate/ring-voters.md, and"
                                + " remove it"
                        : "; remove it, or choose one of " + String.join(", ", KNOWN)));
    }

    private static boolean isOfAService(ConfigurationProperty set) {
        return set.getOrigin() instanceof PropertySourceOrigin origin
                && OF_A_SERVICE.matcher(origin.getPropertyName()).matches();
    }

    private static Object origin(ConfigurationProperty set) {
        return set.getOrigin() == null ? "an unknown source" : set.getOrigin();
    }
}
