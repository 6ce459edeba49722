package dev.doyen.spring.test;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the elections before each test method.
 *
 * <p>The reset is necessary, because Spring reuses contexts, and an application may still lead after the previous test.
 */
final class FakeElectionsListener extends AbstractTestExecutionListener {

    /**
     * The position of this listener.
     *
     * <p>The listener runs after the injection of the test's fields, and before the test's own listeners.
     */
    private static final int ORDER = 2_500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        find(test, FakeElections::beginAnew);
    }

    /**
     * Makes the stores available again, because Spring may close the context next.
     *
     * <p>While its store is unavailable, a leader closes only after its lease has expired.
     */
    @Override
    public void afterTestMethod(TestContext test) {
        find(test, FakeElections::storesAvailable);
    }

    private static void find(TestContext test, Consumer<FakeElections> then) {
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(FakeElections.class).ifAvailable(then);
        }
    }
}
