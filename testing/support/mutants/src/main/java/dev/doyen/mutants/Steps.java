package dev.doyen.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Runs the tests of a class and of its nested classes, and returns the failed ones.
 *
 * <p>These tests detect mutants that no {@link SeededWorld} detects. A test is a method with {@code @Test}. The tests
 * must not need a set-up method. Each test runs on a new instance.
 */
public final class Steps {

    private Steps() {}

    /** Returns the names of the tests that fail. */
    public static List<String> red(Class<?> tests) {
        var red = new ArrayList<String>();
        run(tests, null, red);
        return red;
    }

    private static void run(Class<?> tests, @Nullable Object outer, List<String> red) {
        for (Method method : tests.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class) && !isGreen(method, make(tests, outer))) {
                red.add(method.getName());
            }
        }
        for (Class<?> inner : tests.getDeclaredClasses()) {
            if (inner.isAnnotationPresent(Nested.class)) {
                run(inner, make(tests, outer), red);
            }
        }
    }

    private static boolean isGreen(Method method, Object test) {
        try {
            method.setAccessible(true);
            method.invoke(test);
            return true;
        } catch (InvocationTargetException e) {
            return false;
        } catch (IllegalAccessException e) {
            throw new LinkageError(method + " cannot be called", e);
        }
    }

    private static Object make(Class<?> tests, @Nullable Object outer) {
        try {
            var constructor = tests.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return outer == null ? constructor.newInstance() : constructor.newInstance(outer);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(tests + " cannot be created", e);
        }
    }
}
