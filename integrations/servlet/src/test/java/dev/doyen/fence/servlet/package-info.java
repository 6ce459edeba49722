@NullMarked
package dev.doyen.fence.servlet;

import org.jspecify.annotations.NullMarked;
