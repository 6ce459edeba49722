package dev.doyen.testkit;

import dev.doyen.Election;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test fake elections of its own, and closes them after it.
 *
 * <p>With {@code @ExtendWith(FakeElectionExtension.class)}, methods (tests, {@code @BeforeEach}, {@code @AfterEach}) may
 * have parameters of type {@link FakeElection}, and {@link Election} for the same one as the code under test sees it;
 * {@link FakeElection.Named} tells several apart. As a {@code @RegisterExtension} field, not a static one, {@link #fake}
 * is the test's election.
 */
public final class FakeElectionExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(FakeElectionExtension.class);

    private final String name;
    private @Nullable FakeElection current;

    public FakeElectionExtension() {
        this("election");
    }

    private FakeElectionExtension(String name) {
        this.name = name;
    }

    /** For a field; {@code name} is what the election of {@link #fake} is called. */
    public static FakeElectionExtension named(String name) {
        return new FakeElectionExtension(name);
    }

    /** The election of the test that runs. */
    public FakeElection fake() {
        if (current == null) {
            throw new IllegalStateException("no test is running; the fake election is there from @BeforeEach on");
        }
        return current;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        current = elections(context).named(name);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        current = null;
        elections(context).close();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        // Only what lives as long as one test: a class has no end at which its elections would be closed in time.
        return context.getTestMethod().isPresent() && (type == FakeElection.class || type == Election.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Optional<FakeElection.Named> named = parameter.findAnnotation(FakeElection.Named.class);
        FakeElection fake =
                elections(context).named(named.map(FakeElection.Named::value).orElse(name));
        return parameter.getParameter().getType() == Election.class ? fake.election() : fake;
    }

    private static Elections elections(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        Elections known = store.get(Elections.class, Elections.class);
        if (known == null) {
            known = new Elections();
            store.put(Elections.class, known);
        }
        return known;
    }

    /** The elections of one test. */
    private static final class Elections {
        private final Map<String, FakeElection> byName = new LinkedHashMap<>();

        FakeElection named(String name) {
            return byName.computeIfAbsent(name, FakeElection::named);
        }

        void close() {
            byName.values().forEach(FakeElection::close);
            byName.clear();
        }
    }
}
