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
 * Provides each test with its own fake elections, and closes them after the test.
 *
 * <p>In a class with {@code @ExtendWith(FakeElectionExtension.class)}, tests and the methods {@code @BeforeEach} and
 * {@code @AfterEach} may have parameters of type {@link FakeElection}. A parameter of type {@link Election} receives
 * the {@link FakeElection#election} of such a fake election. {@link FakeElection.Named} gives an election a name, so a
 * test can have several elections. If the extension is a non-static {@code @RegisterExtension} field, {@link #fake}
 * returns the election of the test.
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

    /**
     * Returns an extension for a field.
     *
     * @param name the name of the election that {@link #fake} returns
     */
    public static FakeElectionExtension named(String name) {
        return new FakeElectionExtension(name);
    }

    /**
     * Returns the election of the running test.
     *
     * @throws IllegalStateException if no test is running
     */
    public FakeElection fake() {
        if (current == null) {
            throw new IllegalStateException("no test is running; the fake election exists from @BeforeEach on");
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
        // The extension supports only parameters of methods. It closes each election at the end of a test, so a
        // parameter of a constructor or of a static method is not possible.
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
