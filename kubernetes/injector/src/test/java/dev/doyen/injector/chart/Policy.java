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
 * Evaluates an admission policy as an API server does, with Google's CEL for Java.
 *
 * <p>It evaluates the conditions, the variables, and then the JSON patches in order. It cannot check field names
 * against the schema of Kubernetes. The tests therefore compare the result with the webhook's.
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
     * Returns the pod as the policy changes it.
     *
     * <p>The pod stays the same if a condition does not hold.
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
            // Convert through text, because a number from CEL is a long, and a number from a file is an int.
            var patch = JSON.readTree(JSON.writeValueAsBytes(evaluate(mutation.at("/jsonPatch/expression"), known)));
            mutated = JsonPatch.apply(patch, mutated);
        }
        return mutated;
    }

    /** Returns whether a ValidatingAdmissionPolicy admits the pod. */
    boolean allows(JsonNode pod) throws Exception {
        for (var validation : spec.path("validations")) {
            if (!evaluate(validation.path("expression"), known(pod, "shop")).equals(true)) {
                return false;
            }
        }
        return true;
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
