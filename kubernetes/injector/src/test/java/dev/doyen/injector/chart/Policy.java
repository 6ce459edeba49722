package dev.doyen.injector.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.flipkart.zjsonpatch.JsonPatch;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelValueProvider;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Evaluates an admission policy in the same way as an API server, with Google's CEL for Java.
 *
 * <p>The class evaluates the conditions, the variables, and then the JSON patches in order. The class cannot check
 * field names against the schema of Kubernetes. Therefore the tests compare the changed pod with the result of the
 * webhook.
 */
final class Policy {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FIELD = Pattern.compile("(\\w+):");

    private final JsonNode spec;
    private final Cel cel;

    Policy(JsonNode policy) {
        spec = policy.path("spec");
        var fields = FIELD.matcher(spec.toString())
                .results()
                .map(MatchResult::group)
                .map(each -> each.substring(0, each.length() - 1))
                .collect(ImmutableSet.toImmutableSet());
        CelTypeProvider types = new CelTypeProvider() {
            @Override
            public ImmutableList<CelType> types() {
                return ImmutableList.of();
            }

            @Override
            public Optional<CelType> findType(String name) {
                return name.equals("JSONPatch") || name.startsWith("Object.")
                        ? Optional.of(StructType.create(name, fields, field -> Optional.of(SimpleType.DYN)))
                        : Optional.empty();
            }
        };
        CelValueProvider values = (name, given) -> Optional.of(new LinkedHashMap<>(given));
        cel = CelFactory.plannerCelBuilder()
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(types)
                .setValueProvider(values)
                .addVar("object", SimpleType.DYN)
                .addVar("request", SimpleType.DYN)
                .addVar("variables", SimpleType.DYN)
                .addCompilerLibraries(CelExtensions.strings(), CelExtensions.comprehensions())
                .addRuntimeLibraries(CelExtensions.strings(), CelExtensions.comprehensions())
                .build();
    }

    /**
     * Returns the pod with the changes of the policy.
     *
     * <p>If a condition does not hold, the method returns the unchanged pod.
     */
    JsonNode mutate(JsonNode pod, String namespace) throws Exception {
        var known = known(pod, namespace);
        for (var condition : spec.path("matchConditions")) {
            if (!evaluate(condition.path("expression"), known).equals(true)) {
                return pod;
            }
        }
        var variables = new HashMap<String, Object>();
        known.put("variables", variables);
        for (var variable : spec.path("variables")) {
            variables.put(variable.path("name").asText(), evaluate(variable.path("expression"), known));
        }
        var mutated = pod;
        for (var mutation : spec.path("mutations")) {
            known.put("object", JSON.convertValue(mutated, Map.class));
            // Write the patch as text and parse this text, because a number from CEL is a long, but a number from a
            // file is an int.
            var patch = JSON.readTree(JSON.writeValueAsBytes(evaluate(mutation.at("/jsonPatch/expression"), known)));
            mutated = JsonPatch.apply(patch, mutated);
        }
        return mutated;
    }

    /** Returns the message with which a ValidatingAdmissionPolicy rejects the pod; empty if the policy admits it. */
    Optional<String> rejection(JsonNode pod) throws Exception {
        var known = known(pod, "shop");
        for (var validation : spec.path("validations")) {
            if (!evaluate(validation.path("expression"), known).equals(true)) {
                return Optional.of(
                        validation.has("messageExpression")
                                ? (String) evaluate(validation.path("messageExpression"), known)
                                : validation.path("message").asText());
            }
        }
        return Optional.empty();
    }

    private static Map<String, Object> known(JsonNode pod, String namespace) {
        var known = new HashMap<String, Object>();
        known.put("object", JSON.convertValue(pod, Map.class));
        known.put("request", Map.of("namespace", namespace));
        known.put("variables", Map.of());
        return known;
    }

    private Object evaluate(JsonNode expression, Map<String, Object> known) throws Exception {
        return cel.createProgram(cel.compile(expression.asText()).getAst()).eval(known);
    }
}
