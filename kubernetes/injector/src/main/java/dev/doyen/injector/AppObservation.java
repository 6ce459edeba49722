package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.HealthOptions.Setting;
import dev.doyen.injector.HealthOptions.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Decides how the elector observes the application: by which health check, and by which sign it recognizes the end of
 * the application.
 *
 * <p>By default the health check is the liveness probe, and unhealthy candidates lead if no candidate is healthy. The
 * reasons are in docs/decisions/0066-the-elector-runs-the-liveness-probe-of-the-app.md.
 *
 * <p>The end matters in a plain container, which receives its signal together with the application. There the elector
 * holds the lease until the application has ended.
 */
final class AppObservation {

    private static final String USUAL_PERIOD = "1s";
    private static final int USUAL_GRACE = 30;
    private static final int LEAST_GRACE = 2;
    private static final int MOST_GRACE = 3600;
    private static final String OTHER_CHECK = "annotation " + Setting.HTTP.annotation + " sets another check";

    private final AppContainer app;
    private final PodOptions options;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    private AppObservation(AppContainer app, PodOptions options) {
        this.app = app;
        this.options = options;
    }

    /** Decides for a pod that has no elector yet. */
    static AppObservation of(JsonNode pod, PodOptions options, SidecarKind kind) throws InjectionRefusedException {
        var observation = new AppObservation(AppContainer.of(pod), options);
        if (!options.nonExpiring()) {
            observation.checkHealth();
        }
        observation.watchEnd(pod, kind);
        return observation;
    }

    /** Returns the variables of the elector's container in order. They set options of {@code doyen elector}. */
    Map<String, String> variables() {
        return Collections.unmodifiableMap(variables);
    }

    /** Returns a sentence for each part of the pod that the elector observes differently or not at all. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private void checkHealth() throws InjectionRefusedException {
        var chosen = options.health().settings();
        var settings = new EnumMap<Setting, String>(Setting.class);
        settings.put(Setting.IF_NONE_HEALTHY, "lead_anyway");
        if (!options.health().choosesCheck()) {
            var probe = probe();
            if (probe.isEmpty()) {
                for (var setting : new TreeSet<>(chosen.keySet())) {
                    warnings.add("annotation " + setting.annotation + " has no effect, because the elector does not"
                            + " check the health of this pod; add a probe to container " + app.name()
                            + ", or leave out the annotation");
                }
                return;
            }
            settings.putAll(probe.get().settings(warnings));
        }
        settings.putAll(chosen);
        limitTimeout(settings);
        settings.forEach((setting, value) -> variables.put(setting.variable, value));
    }

    private Optional<AppProbe> probe() throws InjectionRefusedException {
        return switch (options.health().source()) {
            case NONE -> Optional.empty();
            case LIVENESS -> Optional.of(chosen(Source.LIVENESS, app.livenessProbe()));
            case READINESS -> Optional.of(chosen(Source.READINESS, app.readinessProbe()));
            case PROBE -> {
                var liveness = usable(app.livenessProbe());
                yield liveness.isPresent() ? liveness : usable(app.readinessProbe());
            }
        };
    }

    private AppProbe chosen(Source source, Optional<AppProbe> probe) throws InjectionRefusedException {
        var name = source.toString().toLowerCase(Locale.ROOT);
        var is = "annotation " + HealthOptions.ANNOTATION + " is \"" + name + "\", but ";
        if (probe.isEmpty()) {
            throw new InjectionRefusedException(is + "container " + app.name() + " has no " + name
                    + "Probe; add the probe, or leave out the annotation");
        }
        if (probe.get().check().isEmpty()) {
            throw new InjectionRefusedException(is + "the elector cannot run "
                    + probe.get().what()
                    + ", because the probe " + probe.get().obstacle().orElseThrow() + "; replace the annotation by "
                    + Setting.HTTP.annotation + ", such as http://localhost:8080/livez");
        }
        return usable(probe).orElseThrow();
    }

    /** Returns the probe if the elector can check the application by it. If the check differs, this adds a warning. */
    private Optional<AppProbe> usable(Optional<AppProbe> probe) {
        probe.flatMap(AppProbe::obstacle).ifPresent(obstacle -> {
            var reason = probe.get().what() + ", because the probe " + obstacle + "; ";
            warnings.add(
                    probe.get().check().isEmpty()
                            ? "the elector ignores " + reason + OTHER_CHECK
                            : "the elector does not run " + reason + "it only checks that port "
                                    + probe.get().port().orElseThrow()
                                    + " accepts connections, and can miss an app that hangs; " + OTHER_CHECK);
        });
        return probe.filter(each -> each.check().isPresent());
    }

    private void limitTimeout(Map<Setting, String> settings) throws InjectionRefusedException {
        var timeout = settings.get(Setting.TIMEOUT);
        var period = settings.getOrDefault(Setting.EVERY, USUAL_PERIOD);
        if (timeout == null || HealthOptions.time(timeout).compareTo(HealthOptions.time(period)) <= 0) {
            return;
        }
        if (options.health().settings().containsKey(Setting.TIMEOUT)) {
            throw new InjectionRefusedException("annotation " + Setting.TIMEOUT.annotation + " is \"" + timeout
                    + "\", but the time between two checks is " + period + "; choose a shorter time, or a longer one in"
                    + " annotation " + Setting.EVERY.annotation);
        }
        settings.put(Setting.TIMEOUT, period);
    }

    private void watchEnd(JsonNode pod, SidecarKind kind) throws InjectionRefusedException {
        var command = options.appCommand();
        if (command.isPresent()) {
            if (!pod.at("/spec/shareProcessNamespace").asBoolean()) {
                throw new InjectionRefusedException("annotation " + PodOptions.APP_COMMAND
                        + " needs shareProcessNamespace: true in the spec of the pod; add it, or leave out the"
                        + " annotation");
            }
            variables.put("ELECTOR_APP_COMMAND", command.get());
        }
        if (kind == SidecarKind.NATIVE) {
            return;
        }
        int grace = pod.at("/spec/terminationGracePeriodSeconds").asInt(USUAL_GRACE);
        if (grace > MOST_GRACE) {
            warnings.add("the pod has terminationGracePeriodSeconds " + grace
                    + "; the elector waits for the app at most " + MOST_GRACE + " s");
        }
        variables.put("ELECTOR_RELEASE", "wait");
        variables.put("ELECTOR_GRACE", Math.min(Math.max(grace, LEAST_GRACE), MOST_GRACE) + "s");
        if (command.isEmpty()) {
            app.lastingPort().ifPresent(port -> variables.put("ELECTOR_APP_PORT", Integer.toString(port)));
        }
    }
}
