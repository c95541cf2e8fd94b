# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# framework/onnx_plugin/CMakeLists.txt in a copy of CANN 8.1's project template, which has the hook for it only.
include("${CMAKE_SOURCE_DIR}/fa_sources.cmake")

add_library(cust_onnx_parsers SHARED ${FA_ONNX})
target_compile_definitions(cust_onnx_parsers PRIVATE google=ascend_private)
target_link_libraries(cust_onnx_parsers PRIVATE intf_pub graph)
install(TARGETS cust_onnx_parsers LIBRARY DESTINATION "packages/vendors/${vendor_name}/framework/onnx")
